// Pods that take more disk than they may.
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Container, Volume } from '../../gen/kubernetes-types.ts'
import { useStage } from './with-kubelet.ts'

const stage = useStage()

/** Deaf to SIGTERM: it goes on filling the disk until it is killed. */
const fill = (file: string) => `trap '' TERM; head -c 3000000 /dev/zero > ${file}; echo filled; sleep 1000 & wait; wait`

function start(script: string, more: Partial<Container>, ...volumes: Volume[]): string {
  const mounts = volumes.map(({ name }) => ({ name, mountPath: `/mnt-${name}` }))
  const env = volumes.map(({ name }) => ({ name, value: `/mnt-${name}` }))
  const container = { name: 'main', image: 'x', command: ['/bin/sh', '-c', script], env, volumeMounts: mounts, ...more }
  // Whoever gave it its grace would wait until the test has given up.
  return stage().api.create('p', { terminationGracePeriodSeconds: 600, containers: [container], volumes })
}

async function isEvicted(uid: string, message: string): Promise<void> {
  const status = await stage().api.phase(uid, 'Failed')
  expect(status).toMatchObject({ reason: 'Evicted', message })
  expect(status.containerStatuses![0]!.state!.terminated).toMatchObject({ exitCode: 137 })
  expect(stage().api.events).toContainEqual({ pod: 'p', type: 'Warning', reason: 'Evicted', message })
  expect(stage().processes(uid)).toEqual([])
}

test('a volume that grows beyond its limit ends the pod', async () => {
  const cache = { name: 'cache', emptyDir: { sizeLimit: '1Mi' } }
  const uid = start(fill('$cache/data'), {}, cache, { name: 'free', emptyDir: {} })
  await isEvicted(uid, 'Usage of EmptyDir volume "cache" exceeds the limit "1Mi".')
})

if (existsSync('/dev/shm')) {
  test('so does one in memory', async () => {
    const uid = start(fill('$cache/data'), {}, { name: 'cache', emptyDir: { medium: 'Memory', sizeLimit: '1Mi' } })
    await isEvicted(uid, 'Usage of EmptyDir volume "cache" exceeds the limit "1Mi".')
  })
}

test.each([
  ['its working directory', fill('data')],
  ['its logs', `trap '' TERM; head -c 3000000 /dev/zero; sleep 1000 & wait; wait`],
])('what %s takes counts against ephemeral-storage', async (_, script) => {
  const uid = start(script, { resources: { limits: { 'ephemeral-storage': '2Mi' } } })
  await isEvicted(uid, 'Pod ephemeral local storage usage exceeds the total limit of containers 2Mi.')
})

test('a pod that keeps within its limits ends as it likes', async () => {
  const limits = { resources: { limits: { 'ephemeral-storage': '8Mi' } } }
  const script = 'head -c 500000 /dev/zero > $cache/data; head -c 3000000 /dev/zero > free; sleep 2.5'
  const uid = start(script, limits, { name: 'cache', emptyDir: { sizeLimit: '1Mi' } })
  expect((await stage().api.phase(uid, 'Succeeded')).reason).toBeUndefined()
})

if (existsSync('/dev/shm')) {
  test('what lies in memory takes no disk', async () => {
    const script = 'head -c 12000000 /dev/zero > $cache/data; sleep 2.5'
    const limits = { resources: { limits: { 'ephemeral-storage': '8Mi' } } }
    const uid = start(script, limits, { name: 'cache', emptyDir: { medium: 'Memory' } })
    expect((await stage().api.phase(uid, 'Succeeded')).reason).toBeUndefined()
  })
}

test('volumes on disk count against ephemeral-storage, too', async () => {
  const limits = { resources: { limits: { 'ephemeral-storage': '2Mi' } } }
  const uid = start(fill('$cache/data'), limits, { name: 'cache', emptyDir: {} })
  await isEvicted(uid, 'Pod ephemeral local storage usage exceeds the total limit of containers 2Mi.')
})

test('an eviction is not forgotten when the home is gone before it could be told', async () => {
  const { api, kubelet, home } = stage()
  const uid = start(fill('$cache/data'), {}, { name: 'cache', emptyDir: { sizeLimit: '1Mi' } })
  const record = api.recordEvent.bind(api)
  await new Promise<void>((resolve) => {
    api.recordEvent = (pod, event) => {
      record(pod, event)
      if (event.reason === 'Evicted') resolve(kubelet.close())
    }
  })
  expect(api.status(uid).phase).toBe('Running')
  // Only the verdict is left to tell of it.
  rmSync(join(home, 'pods/p/volumes/cache/data'))
  stage().start()
  await isEvicted(uid, 'Usage of EmptyDir volume "cache" exceeds the limit "1Mi".')
})
