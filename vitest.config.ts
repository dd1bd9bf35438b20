import { defineConfig } from 'vitest/config'

// Suites that need something started for them live in test/<suite> and are run by their own script.
const suite = process.env.TRAINYARD_SUITE

export default defineConfig({
  test: {
    include: suite ? [`test/${suite}/**/*.test.ts`] : ['{src,scripts,bench,test}/**/*.test.ts'],
    exclude: suite ? [] : ['test/{cluster,coscheduling,trouble,node,api,crash,training}/**'],
    setupFiles: ['test/seed.ts'],
    // A test that nobody runs protects nothing.
    allowOnly: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // States are waited for, however slow the machine; only what never comes fails.
    expect: { poll: { timeout: 60_000 } },
    reporters: ['default'],
  },
})
