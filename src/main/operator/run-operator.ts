// `trainyard operator`: the operator as a process of its own, until it is told to stop.
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { OperatorRun } from '../../cli/cluster/operator-flags.ts'
import { abortOf, KubeClient, loadConnection } from '../../kube/index.ts'
import { operateWhileLeading } from '../../operator/lead.ts'
import { OperatorMetrics } from '../../operator/metrics.ts'
import { type Operator, startOperator } from '../../operator/operator.ts'
import type { OperatorOptions } from '../../operator/options.ts'
import { readClusterDomain } from './cluster-domain.ts'
import { errorFields, jsonLog, type Log } from './log.ts'
import { addProcessMetrics } from './process-metrics.ts'
import { type HealthServer, serveHealth } from './serve-health.ts'

const NO = 1
/** On a cluster writes are shared with everybody: a phase that is over within three seconds is not worth one. */
const PATIENCE = { news: 3_000, details: 15_000, end: 500, parts: 25 }

/** Resolves with the exit code when everything has been put away. */
export async function runOperator(run: OperatorRun, version: string): Promise<number> {
  const log = jsonLog(run.logLevel, (line) => void process.stderr.write(line))
  const { kubeconfig, context } = run
  const connection = await loadConnection({ kubeconfig, context })
  const metrics = new OperatorMetrics()
  addProcessMetrics(metrics.registry)
  const identity = run.election?.identity ?? `${hostname()}_${randomBytes(4).toString('hex')}`
  const open = (concurrency: number): KubeClient =>
    new KubeClient(connection, {
      userAgent: `trainyard-operator/${version}`,
      concurrency,
      onAnswer: (method, path, code, took, watch) => metrics.called(method, path, code, took, watch),
    })
  const client = open(run.requests)
  const domain = run.clusterDomain ?? readClusterDomain()
  const scope = run.namespace ?? 'all namespaces'
  log('info', 'starting', { version, server: connection.server, scope, clusterDomain: domain, identity })

  const stopping = new AbortController()
  let readiness: string | undefined = 'not begun yet'
  const health = await openHealth(run, metrics, () => readiness, log)
  if (health === 'refused') {
    await client.close()
    return NO
  }
  const unhook = stopOnSignals(stopping, log)
  const options: OperatorOptions = {
    client,
    namespace: run.namespace,
    takeOver: run.takeOver,
    facts: { domain, forceDeleteAfter: run.forceDeleteAfter },
    gangScheduler: run.gangScheduler,
    workers: run.workers,
    patience: PATIENCE,
    instance: identity,
    metrics,
    onError: (where, error) => log('warn', where, errorFields(error)),
  }
  const atWork = (operator: Operator): void => {
    readiness = 'the cluster is being read'
    void operator.ready.then(() => {
      readiness = undefined
      if (!stopping.signal.aborted) log('info', 'at work')
    })
  }
  if (run.election) {
    const { name, leaseSeconds } = run.election
    const namespace = run.election.namespace ?? connection.namespace
    // Who stands by is ready: it is there to take over.
    readiness = undefined
    log('info', 'standing by', { lease: `${namespace}/${name}`, leaseSeconds })
    const election = { client: open(1), namespace, name, identity, leaseSeconds }
    const onLead = (operator: Operator | undefined): void => {
      metrics.leads(operator !== undefined)
      log('info', operator ? 'leading' : 'no longer leading')
      if (operator) atWork(operator)
      else readiness = undefined
    }
    await operateWhileLeading({ ...options, election, onLead }, stopping.signal)
    await election.client.close()
  } else {
    const operator = startOperator(options)
    metrics.leads(true)
    atWork(operator)
    await abortOf(stopping.signal)
    await operator.stop()
  }
  unhook()
  await Promise.all([client.close(), health?.close()])
  log('info', 'stopped')
  return 0
}

async function openHealth(
  { address }: OperatorRun,
  { registry }: OperatorMetrics,
  notReady: () => string | undefined,
  log: Log,
): Promise<HealthServer | 'refused' | undefined> {
  if (!address) return undefined
  try {
    const server = await serveHealth({ ...address, registry, notReady })
    log('info', 'serving metrics and health', { url: server.url })
    return server
  } catch (error) {
    const taken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
    const why = taken ? 'somebody else listens there' : 'the address cannot be used'
    log('error', `cannot serve metrics and health: ${why}`, { ...address, hint: 'choose another --metrics-address' })
    return 'refused'
  }
}

/** The first signal ends in good order; a second one at once. */
function stopOnSignals(stopping: AbortController, log: Log): () => void {
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stopping.signal.aborted) process.exit(NO)
    log('info', 'stopping', { signal })
    stopping.abort()
  }
  const signals = ['SIGTERM', 'SIGINT'] as const
  for (const signal of signals) process.on(signal, onSignal)
  return () => {
    for (const signal of signals) process.off(signal, onSignal)
  }
}
