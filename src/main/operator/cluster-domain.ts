import { readFileSync } from 'node:fs'

/** The domain of the cluster's names, from a pod's resolv.conf: `search default.svc.cluster.local svc.cluster.local …`. */
export function clusterDomainOf(resolvConf: string): string | undefined {
  for (const line of resolvConf.split('\n')) {
    const [keyword, ...domains] = line.trim().split(/\s+/)
    if (keyword !== 'search') continue
    const services = domains.find((domain) => domain.startsWith('svc.'))
    if (services) return services.slice('svc.'.length).replace(/\.$/, '') || undefined
  }
  return undefined
}

export function readClusterDomain(file = '/etc/resolv.conf'): string | undefined {
  try {
    return clusterDomainOf(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
