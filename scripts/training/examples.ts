// The suites that need a framework, each with a test of its name in test/training. Most are examples.
import type { FrameworkName } from './frameworks.ts'

export interface TrainingSuite {
  name: string
  needs: FrameworkName
  /** Uses the genuine kubectl. */
  kubectl?: boolean
  /** Runs on genuine nodes instead of on this machine. */
  nodes?: number
}

export const EXAMPLES: readonly TrainingSuite[] = [
  { name: 'torch-ddp', needs: 'torch' },
  { name: 'torchrun', needs: 'torch' },
  { name: 'torch-elastic', needs: 'torch', kubectl: true },
  { name: 'torch-elastic-on-nodes', needs: 'torch', nodes: 2 },
  { name: 'own-script', needs: 'torch' },
  { name: 'tensorflow-multiworker', needs: 'tensorflow' },
  { name: 'tensorflow-ps', needs: 'tensorflow' },
  { name: 'tensorflow-generic', needs: 'tensorflow' },
  { name: 'tfjob', needs: 'tensorflow' },
  { name: 'tensorboard', needs: 'tensorboard' },
]
