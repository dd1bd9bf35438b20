import type { Container, Pod } from '../../gen/kubernetes-types.ts'

/** Where jobs are looked after: an API that a kubeconfig leads to, with the operator at work behind it. */
export interface Home {
  kubeconfig: string
  driver: PodDriver
}

/** Makes pods live and die as a test wants it. */
export interface PodDriver {
  /** What a container must be made of to be driven: its image, command and environment. */
  container: Pick<Container, 'image' | 'command' | 'env'>
  /** Resolves when the pod runs. */
  start(pod: Pod): Promise<void>
  /** The training container of a running pod ends with this code. */
  exit(pod: Pod, code: number): Promise<void>
  /** The pod is lost without any fault of its own, as by an eviction. */
  lose(pod: Pod): Promise<void>
}
