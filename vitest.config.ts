import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{src,scripts,bench,test}/**/*.test.ts'],
    // These need a control plane of their own and are run by `npm run test:cluster`.
    exclude: ['test/cluster/**', 'node_modules/**'],
    // A test that nobody runs protects nothing.
    allowOnly: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default'],
  },
})
