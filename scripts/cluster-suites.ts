// Suites on a genuine apiserver, each on a control plane of its own: pods that one drives by hand must not be played
// by anybody else.
import { buildPrograms } from './real/build.ts'
import { type ControlPlane, type ControlPlaneOptions, startControlPlane } from './real/control-plane.ts'
import { runTests, type VitestResult } from './run-vitest.ts'

interface ClusterSuite {
  plane: ControlPlaneOptions
  /** Whose requests can be told apart in the audit log. */
  users: readonly string[]
  /** Its files would disturb each other. */
  serial?: boolean
  /** What its tests start themselves. */
  programs?: readonly string[]
  /** Too much for every day: only by `npm run soak`. */
  soak?: boolean
}

export const CLUSTER_SUITES = {
  cluster: { plane: { parts: ['kube-controller-manager'] }, users: [] },
  trouble: {
    plane: {
      parts: ['kube-controller-manager', 'kube-scheduler'],
      playedNodes: 5,
      audit: true,
      admission: ['OwnerReferencesPermissionEnforcement'],
    },
    users: ['leaders', 'chaos'],
    serial: true,
  },
  coscheduling: {
    plane: { parts: ['kube-controller-manager'], playedNodes: 1 },
    users: [],
    programs: ['coscheduling'],
    soak: true,
  },
} satisfies Record<string, ClusterSuite>

export interface ClusterRun {
  script: string
  folder: keyof typeof CLUSTER_SUITES
  /** Only test files whose path contains one of these. */
  names: readonly string[]
  env?: NodeJS.ProcessEnv
  say: (line: string) => void
}

export async function runClusterSuite({ script, folder, names, env, say }: ClusterRun): Promise<VitestResult> {
  const { plane: options, users, serial, programs = [] }: ClusterSuite = CLUSTER_SUITES[folder]
  await buildPrograms(programs, say)
  const plane = await startControlPlane({ ...options, say })
  try {
    return await runTests({
      script,
      names,
      serial,
      env: { ...env, TRAINYARD_SUITE: folder, TRAINYARD_REAL_CLUSTER: await describe(plane, users) },
    })
  } finally {
    await plane.stop()
  }
}

async function describe(plane: ControlPlane, users: readonly string[]): Promise<string> {
  const { url, ca, kubeconfig, kubectl, admin, auditLog } = plane
  const issued: Record<string, string> = {}
  for (const name of users) issued[name] = (await plane.issueUser(name, ['system:masters'])).kubeconfig
  return JSON.stringify({ url, ca, cert: admin.cert, key: admin.key, kubeconfig, kubectl, auditLog, users: issued })
}
