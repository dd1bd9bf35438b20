// A metric that has the value it is told to have, served to a cluster's autoscaler as external.metrics.k8s.io.
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'

const GROUP = 'external.metrics.k8s.io'
const VERSION = 'v1beta1'

export class FakeMetric {
  readonly name = 'work-to-do'
  value = 0
  readonly #server

  /** Whose certificate it shows does not matter: the cluster is told not to look. */
  static async serve(identity: { cert: string; key: string }): Promise<FakeMetric> {
    const metric = new FakeMetric(identity)
    await new Promise<void>((resolve) => metric.#server.listen(0, '127.0.0.1', resolve))
    return metric
  }

  private constructor(identity: { cert: string; key: string }) {
    this.#server = createServer(identity, (req, res) => {
      res.writeHead(200, { 'Content-Type': 'application/json' })
      res.end(JSON.stringify(this.#answer(new URL(req.url ?? '/', 'https://metric').pathname)))
    })
  }

  /** What leads the API server to it: a Service that is another name for this machine. */
  objects(namespace: string): object[] {
    const { port } = this.#server.address() as AddressInfo
    return [
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'fake-metric', namespace },
        spec: { type: 'ExternalName', externalName: 'localhost', ports: [{ port }] },
      },
      {
        apiVersion: 'apiregistration.k8s.io/v1',
        kind: 'APIService',
        metadata: { name: `${VERSION}.${GROUP}` },
        spec: {
          group: GROUP,
          version: VERSION,
          groupPriorityMinimum: 100,
          versionPriority: 100,
          insecureSkipTLSVerify: true,
          service: { name: 'fake-metric', namespace, port },
        },
      },
    ]
  }

  /** Asks for as many replicas as the metric says, without hesitation. */
  autoscaler(namespace: string, job: string, most: number): object {
    return {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: job, namespace },
      spec: {
        scaleTargetRef: { apiVersion: 'batch.tensorstack.dev/v1beta1', kind: 'PyTorchTrainingJob', name: job },
        minReplicas: 1,
        maxReplicas: most,
        metrics: [
          {
            type: 'External',
            external: { metric: { name: this.name }, target: { type: 'AverageValue', averageValue: '1' } },
          },
        ],
        behavior: { scaleDown: { stabilizationWindowSeconds: 0 } },
      },
    }
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #answer(path: string): object {
    const groupVersion = `${GROUP}/${VERSION}`
    if (!path.endsWith(`/${this.name}`)) {
      const resource = { name: this.name, namespaced: true, kind: 'ExternalMetricValueList', verbs: ['get'] }
      return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources: [{ ...resource, singularName: '' }] }
    }
    const timestamp = new Date().toISOString()
    const item = { metricName: this.name, metricLabels: {}, timestamp, value: String(this.value) }
    return { kind: 'ExternalMetricValueList', apiVersion: groupVersion, metadata: {}, items: [item] }
  }
}
