import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import type { Container, Volume } from '../../gen/kubernetes-types.ts'
import { execInPod } from '../../src/kubelet/pod-access.ts'
import { findNamespaceTools } from '../../src/kubelet/volumes/namespace.ts'
import { useStage } from './with-kubelet.ts'

const stage = useStage()
const sh = (script: string) => ({ name: 'main', command: ['/bin/sh', '-c', script] })

async function outputOf(container: Partial<Container>, volumes: Volume[]): Promise<string> {
  const uid = stage().api.create('p', { containers: [{ name: 'main', ...container }], volumes })
  await stage().api.phase(uid, 'Succeeded', 'Failed')
  return stage().log(uid)
}

if (findNamespaceTools()) {
  test('a program sees its volumes where they are mounted, and the machine gets no mount points', async () => {
    const { api, home } = stage()
    api.configMaps.set('code', {
      data: { 'run.sh': '#!/bin/sh\ncat /job/word /deep/er/still/x; pwd; ls -A /\n', word: 'hello ' },
    })
    mkdirSync(join(home, 'host dir'))
    writeFileSync(join(home, 'host dir/x'), 'host\n')
    const before = readdirSync('/')
    const mounts = [
      { name: 'code', mountPath: '/job' },
      { name: 'host', mountPath: '/deep/er/still' },
      { name: 'host', mountPath: '/usr/share/trainyard-none/here' },
    ]
    const volumes = [
      { name: 'code', configMap: { name: 'code', defaultMode: 0o755 } },
      { name: 'host', hostPath: { path: join(home, 'host dir') } },
    ]
    const script = '/job/run.sh && cat /usr/share/trainyard-none/here/x && node -p 6*7 && test -d /usr/share/doc'
    const log = await outputOf({ ...sh(script), workingDir: '/job', volumeMounts: mounts }, volumes)
    const entries = [...before, 'deep', 'job'].sort()
    expect(log.split('\n').slice(0, 2)).toEqual(['hello host', '/job'])
    expect(
      log
        .split('\n')
        .slice(2, 2 + entries.length)
        .sort(),
    ).toEqual(entries)
    expect(log).toMatch(/\nhost\n42\n$/)
    expect(readdirSync('/')).toEqual(before)
    expect(existsSync('/usr/share/trainyard-none')).toBe(false)
  })

  test('what is read-only cannot be written, the rest can, also within each other', async () => {
    stage().api.configMaps.set('c', { data: { a: '' } })
    stage().api.claims.set('kept', {})
    const mounts = [
      { name: 'c', mountPath: '/c' },
      { name: 'kept', mountPath: '/data' },
      { name: 'kept', mountPath: '/data/inner/sub', subPath: 's' },
      { name: 'kept', mountPath: '/fixed', readOnly: true },
      { name: 'borrowed', mountPath: '/borrowed' },
    ]
    const volumes = [
      { name: 'c', configMap: { name: 'c' } },
      { name: 'kept', persistentVolumeClaim: { claimName: 'kept' } },
      { name: 'borrowed', persistentVolumeClaim: { claimName: 'kept', readOnly: true } },
    ]
    const script =
      'for each in /c /fixed /borrowed; do touch $each/b || echo no; done; echo 1 > /data/one; echo 2 > /data/inner/sub/two; cat /fixed/one /fixed/s/two'
    const log = await outputOf({ ...sh(script), volumeMounts: mounts }, volumes)
    expect(log.replace(/^touch: .*\n/gm, '')).toBe('no\nno\nno\n1\n2\n')
    expect(readFileSync(join(stage().home, 'volumes/default/kept/one'), 'utf8')).toBe('1\n')
  })

  test('a working directory that its volume does not have is made there, whatever the machine has under that path', async () => {
    const mountPath = join(stage().home, 'data')
    mkdirSync(join(mountPath, 'machine'), { recursive: true })
    const volumes = [{ name: 'e', emptyDir: {} }]
    for (const name of ['new/deep', 'machine']) {
      const workingDir = join(mountPath, name)
      const log = await outputOf(
        { ...sh('pwd; touch x'), workingDir, volumeMounts: [{ name: 'e', mountPath }] },
        volumes,
      )
      expect(log).toBe(`${workingDir}\n`)
    }
    expect(readdirSync(mountPath)).toEqual(['machine'])
    expect(readdirSync(join(mountPath, 'machine'))).toEqual([])
  })

  test('a volume over the directory in which pods lie does not take theirs away', async () => {
    const mounts = [{ name: 'e', mountPath: dirname(stage().home) }]
    const log = await outputOf({ ...sh('pwd; touch here; ls'), volumeMounts: mounts }, [{ name: 'e', emptyDir: {} }])
    expect(log).toBe(`${join(stage().home, 'pods/p/work')}\nhere\n`)
  })

  test('probes and commands beside the program see the same', async () => {
    stage().api.configMaps.set('c', { data: { a: 'A' } })
    const uid = stage().api.create('p', {
      containers: [
        {
          ...sh('sleep 600'),
          workingDir: '/c',
          volumeMounts: [{ name: 'c', mountPath: '/c' }],
          readinessProbe: { exec: { command: ['cat', '/c/a'] }, periodSeconds: 0.05 },
        },
      ],
      volumes: [{ name: 'c', configMap: { name: 'c' } }],
    })
    await stage().api.phase(uid, 'Running')
    const execution = execInPod(stage().kubelet.workerOf(uid)!, undefined, ['/bin/sh', '-c', 'pwd; cat a'])
    expect(await text(execution.stdout)).toBe('/c\nA')
    expect(stage().api.events.filter(({ reason }) => reason === 'Unhealthy' || reason === 'PathsSubstituted')).toEqual(
      [],
    )
  })

  test('what vanishes beside a mount point takes nothing with it', async () => {
    const machine = join(stage().home, 'machine')
    mkdirSync(join(machine, 'kept'), { recursive: true })
    writeFileSync(join(machine, 'brief'), '')
    const uid = stage().api.create('p', {
      containers: [{ ...sh('sleep 600'), volumeMounts: [{ name: 'e', mountPath: join(machine, 'volume') }] }],
      volumes: [{ name: 'e', emptyDir: {} }],
    })
    await stage().api.phase(uid, 'Running')
    rmSync(join(machine, 'brief'))
    const execution = execInPod(stage().kubelet.workerOf(uid)!, undefined, ['ls', machine])
    expect(await text(execution.stdout)).toMatch(/^(brief\n)?kept\nvolume\n$/)
    expect(await execution.exitCode).toBe(0)
  })

  test('a mount point in a directory of too many entries gives way to changed paths, and an event says so', async () => {
    const machine = join(stage().home, 'crowded')
    mkdirSync(machine)
    for (let i = 0; i <= 1000; i++) writeFileSync(join(machine, String(i)), '')
    const mountPath = join(machine, 'volume')
    const container = {
      ...sh(`echo here > ${mountPath}/x; cat ${mountPath}/x`),
      volumeMounts: [{ name: 'e', mountPath }],
    }
    expect(await outputOf(container, [{ name: 'e', emptyDir: {} }])).toBe('here\n')
    expect(stage().api.events).toContainEqual(
      expect.objectContaining({ reason: 'PathsSubstituted', message: expect.stringContaining(mountPath) }),
    )
  })

  test('a program is looked for where its volumes will be', async () => {
    stage().api.configMaps.set('c', { data: { tool: '#!/bin/sh\necho tool\n' } })
    const volumes = [{ name: 'c', configMap: { name: 'c', defaultMode: 0o755 } }]
    const env = [{ name: 'PATH', value: '/tools:/usr/bin:/bin' }]
    const log = await outputOf({ command: ['tool'], env, volumeMounts: [{ name: 'c', mountPath: '/tools' }] }, volumes)
    expect(log).toBe('tool\n')
  })
} else {
  test('a machine that forbids namespaces says what it does instead', async () => {
    await outputOf({ ...sh('cat /v/x'), volumeMounts: [{ name: 'e', mountPath: '/v' }] }, [{ name: 'e', emptyDir: {} }])
    expect(stage().api.events).toContainEqual(expect.objectContaining({ reason: 'PathsSubstituted' }))
  })
}
