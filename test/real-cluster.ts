/** The control plane `npm run test:cluster` has started for its suites. */
export interface RealCluster {
  url: string
  /** PEM: the authority to trust, and who the administrator is. */
  ca: string
  cert: string
  key: string
  kubeconfig: string
  kubectl: string
  /** One line of JSON per request. */
  auditLog: string
  /** Kubeconfigs of users whose requests can be told apart in it. */
  users: Record<string, string>
}

export function realCluster(): RealCluster {
  const given = process.env.TRAINYARD_REAL_CLUSTER
  if (!given) throw new Error('this suite needs a control plane; run it by: npm run test:cluster')
  return JSON.parse(given) as RealCluster
}
