// The examples that need a framework, each with a test of its name in test/training.
import type { FrameworkName } from './frameworks.ts'

export const EXAMPLES: ReadonlyArray<{ name: string; needs: FrameworkName }> = [
  { name: 'torch-ddp', needs: 'torch' },
  { name: 'torchrun', needs: 'torch' },
  { name: 'torch-elastic', needs: 'torch' },
  { name: 'own-script', needs: 'torch' },
  { name: 'tensorflow-multiworker', needs: 'tensorflow' },
  { name: 'tensorflow-ps', needs: 'tensorflow' },
  { name: 'tensorflow-generic', needs: 'tensorflow' },
  { name: 'tfjob', needs: 'tensorflow' },
  { name: 'tensorboard', needs: 'tensorboard' },
]
