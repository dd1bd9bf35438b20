// Pod templates: what the kinds demand of them, and that Kubernetes' own fields are all there.
import { generic, pytorch, tensorflow, tfjob } from './bases.ts'
import { type Json, type Row, Table } from './row.ts'

const rows: Row[] = []

for (const [base, at] of [
  [pytorch, 'spec.replicaSpecs[0]'],
  [tensorflow, 'spec.replicaSpecs[0]'],
  [generic, 'spec.replicaSpecs[0]'],
  [tfjob, 'spec.tfReplicaSpecs.Worker'],
] as const) {
  const containers = `${at}.template.spec.containers`
  const first = base === tensorflow || base === tfjob ? 'tensorflow' : 'main'
  const many = (count: number): Json =>
    Array.from({ length: count }, (_, i) => ({ name: i === 0 ? first : `c${i}`, image: 'i', args: ['a'] }))
  rows.push(
    ...new Table(base)
      .bad('no template', { [`${at}.template`]: undefined }, `${at}.template`)
      .bad('no pod spec', { [`${at}.template`]: {} }, `${at}.template.spec`)
      .bad('no containers', { [`${at}.template.spec`]: {} }, containers)
      .bad('an empty list of containers', { [containers]: [] }, containers)
      .good('64 containers', { [containers]: many(64) })
      .bad('65 containers', { [containers]: many(65) }, containers)
      .bad('a container without a name', { [`${containers}[1]`]: { image: 'i' } }, `${containers}[1].name`)
      .bad(
        'a container with an empty name',
        { [`${containers}[1]`]: { name: '', image: 'i' } },
        `${containers}[1].name`,
      )
      .bad(
        'a container with a name of 64 characters',
        { [`${containers}[1]`]: { name: 'a'.repeat(64), image: 'i' } },
        `${containers}[1].name`,
      )
      .bad('two containers of one name', { [`${containers}[1]`]: { name: first, image: 'i' } }, bracketed(containers))
      .rows,
  )
}

/** Rules write the key of a map in brackets. */
function bracketed(path: string): string {
  return path.replace('tfReplicaSpecs.Worker', 'tfReplicaSpecs[Worker]')
}

const at = 'spec.replicaSpecs[0].template'
const c = `${at}.spec.containers[0]`

rows.push(
  ...new Table(pytorch)
    .good('labels, annotations and a null creation time', {
      [`${at}.metadata`]: { labels: { a: 'b' }, annotations: { c: 'd' }, creationTimestamp: null },
    })
    .bad('labels that are no texts', { [`${at}.metadata`]: { labels: { a: 1 } } }, `${at}.metadata.labels.a`)
    .each(['500m', 2, '1.5', '8Gi', '1e3'], (t, value, shown) =>
      t.good(`quantity ${shown}`, { [`${c}.resources`]: { limits: { cpu: value } } }),
    )
    .each(['a lot', 0.5, true, '1 Gi'], (t, value, shown) =>
      t.bad(`quantity ${shown}`, { [`${c}.resources`]: { limits: { cpu: value } } }, `${c}.resources.limits.cpu`),
    )
    .each([80, 'http'], (t, value, shown) =>
      t.good(`probe port ${shown}`, { [`${c}.livenessProbe`]: { httpGet: { port: value } } }),
    )
    .bad(
      'probe port of a wrong type',
      { [`${c}.livenessProbe`]: { httpGet: { port: 1.5 } } },
      `${c}.livenessProbe.httpGet.port`,
    )
    .bad('env value a number', { [`${c}.env`]: [{ name: 'A', value: 1 }] }, `${c}.env[0].value`)
    .bad('env without a name', { [`${c}.env`]: [{ value: 'a' }] }, `${c}.env[0].name`)
    .good('one variable twice', {
      [`${c}.env`]: [
        { name: 'A', value: '1' },
        { name: 'A', value: '2' },
      ],
    })
    .bad('args a text', { [`${c}.args`]: 'train.py' }, `${c}.args`)
    .bad('null among the args', { [`${c}.args`]: ['a', null] }, `${c}.args[1]`)
    .good('a field that is null', { [`${c}.command`]: null })
    .good('an unknown field', { [`${c}.commands`]: ['a'] })
    .good('volumes of many kinds', {
      [`${at}.spec.volumes`]: [
        { name: 'a', emptyDir: { medium: 'Memory', sizeLimit: '1Gi' } },
        { name: 'b', persistentVolumeClaim: { claimName: 'x' } },
        { name: 'c', configMap: { name: 'x', items: [{ key: 'a', path: 'b', mode: 420 }] } },
        { name: 'd', projected: { sources: [{ serviceAccountToken: { path: 'p' } }] } },
        {
          name: 'e',
          ephemeral: {
            volumeClaimTemplate: {
              spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
            },
          },
        },
      ],
    })
    .bad('a volume without a name', { [`${at}.spec.volumes`]: [{ emptyDir: {} }] }, `${at}.spec.volumes[0].name`)
    .good('affinity, tolerations and the rest', {
      [`${at}.spec.affinity`]: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }],
          },
        },
      },
      [`${at}.spec.tolerations`]: [{ key: 'a', operator: 'Exists', effect: 'NoSchedule' }],
      [`${at}.spec.securityContext`]: { runAsUser: 1000 },
      [`${at}.spec.hostNetwork`]: true,
    }).rows,
  ...new Table(tensorflow).bad(
    'no container called tensorflow',
    { 'spec.replicaSpecs[1].template.spec.containers[0].name': 'main' },
    'spec.replicaSpecs[1].template.spec.containers',
  ).rows,
  ...new Table(tfjob)
    .bad(
      'no container called tensorflow',
      { 'spec.tfReplicaSpecs.PS.template.spec.containers[0].name': 'main' },
      'spec.tfReplicaSpecs[PS].template.spec.containers',
    )
    .bad(
      'no image',
      { 'spec.tfReplicaSpecs.PS.template.spec.containers[0].image': undefined },
      'spec.tfReplicaSpecs[PS].template.spec.containers',
    )
    .bad(
      'an empty image',
      { 'spec.tfReplicaSpecs.PS.template.spec.containers[0].image': '' },
      'spec.tfReplicaSpecs[PS].template.spec.containers',
    ).rows,
)

export const templates = rows
