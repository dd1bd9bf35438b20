/** One call of kubectl, made against both servers; its output and exit code must be the same. */
export interface Step {
  /**
   * Words of the command line; single quotes keep blanks. Here, in the input and in the environment `{ns}` is the
   * scenario's namespace, `{dir}` its folder, `{uid:KIND/NAME}` what the server calls that object.
   */
  run: string
  /** Standard input. */
  input?: string
  /** The exit code it must have on both; 0 unless given. */
  code?: number
  env?: Record<string, string>
  /** The output must contain it on both, so that two empty answers do not pass for success. */
  shows?: string
  /** For what does not end by itself: it is ended once its output has so many lines. */
  lines?: number
  /** Commands for the time while it runs, each sent once what it has printed says that it is ready for it. */
  meanwhile?: ReadonlyArray<{ once: RegExp; run: string }>
  /** Standard error is not compared: it was asked to tell there what it does. */
  talkative?: boolean
  /** Set-up: must succeed, is not compared. */
  unseen?: boolean
  /** The output is JSON as the server wrote it; the order of its keys means nothing. */
  json?: boolean
  /** Its lines come in no order. */
  unordered?: boolean
  /** Why the outputs differ, where they are meant to; that they still do is checked. */
  known?: string
  /** Of the real server's lines those are compared that speak of what the embedded one offers too. */
  offered?: boolean
}

export interface Scenario {
  name: string
  /** Files in its scratch folder. */
  files?: Record<string, string>
  steps: readonly Step[]
}

export const step = (run: string, more: Omit<Step, 'run'> = {}): Step => ({ run, ...more })
/** Must fail, with exit code 1. */
export const fails = (run: string, more: Omit<Step, 'run'> = {}): Step => ({ run, code: 1, ...more })
export const prepare = (run: string, input?: string): Step => ({
  run,
  unseen: true,
  ...(input === undefined ? {} : { input }),
})

/** A pod's refused change comes with a diff of Go structs. */
export const GO_DIFF = "the refusal lacks Go's diff of the two specs"

/** It has printed so many lines. */
export const lines = (count: number): RegExp => new RegExp(`^(.*\\n){${count}}`)
/** With -v=6 it says that the server has accepted its watch. */
export const WATCHES = /watch=true.* status="200 OK"/

/** Pods that differ in nothing the two servers decide by their own set-up (mounted tokens). */
export function pod(name: string, more: { labels?: string; spec?: string; image?: string } = {}): string {
  return `apiVersion: v1
kind: Pod
metadata:
  name: "${name}"
  labels: {${more.labels ?? 'app: web'}}
spec:
  automountServiceAccountToken: false
  containers:
  - name: c
    image: ${more.image ?? 'busybox'}
    ports:
    - containerPort: 80
${more.spec ?? ''}`
}

export function configMap(name: string, data: Record<string, string>, labels = 'set: one'): string {
  const lines = Object.entries(data).map(([key, value]) => `  ${key}: ${JSON.stringify(value)}\n`)
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: "${name}"\n  labels: {${labels}}\ndata:\n${lines.join('')}`
}

export const genericJob = (
  name: string,
  replicas: string | number = 1,
): string => `apiVersion: batch.tensorstack.dev/v1beta1
kind: GenericJob
metadata:
  name: "${name}"
  labels: {team: a}
spec:
  successRules:
  - worker: [0]
  failureRules: []
  replicaSpecs:
  - type: worker
    replicas: ${replicas}
    template:
      spec:
        containers:
        - name: main
          image: none
          command: ["true"]
`

export const elasticJob = (name: string, replicas = 2): string => `apiVersion: batch.tensorstack.dev/v1beta1
kind: PyTorchTrainingJob
metadata:
  name: ${name}
spec:
  elastic: {enabled: true, minReplicas: 1, maxReplicas: 4, expectedReplicas: ${replicas}}
  replicaSpecs:
  - type: worker
    template:
      spec:
        containers:
        - name: pytorch
          image: none
          command: ["true"]
`
