import { flag, list, record, type Schema, text, words } from '../schema/schema.ts'
import { resources } from './kubernetes.ts'
import { scheduler } from './scheduler.ts'

const subPath = (description: string): Schema => ({
  description,
  'x-kubernetes-preserve-unknown-fields': true,
  typescript: 'string | string[]',
})

export const tensorBoardSpec: Schema = record('A TensorBoard: where the logs lie and what it runs with.', {
  trainingLogFilesets: words('Where the logs lie: t9k://pvc/<claim>/<path> or t9k://minio/<secret>/<bucket>/<path>.'),
  logDir: record('Where the logs lie, by kind of storage.', {
    pvc: list(
      'Persistent volume claims.',
      record(
        'One claim.',
        {
          name: text('The claim.', { minLength: 1, maxLength: 253 }),
          subPath: subPath('A folder in it, or a list of folders.'),
          subpath: subPath('The same as subPath.'),
        },
        { required: ['name'] },
      ),
      { maxItems: 64 },
    ),
    s3: record('Object storage.', {
      secretRef: record('The Secret with the access keys.', { name: text('Its name.') }),
      uri: words('The places: s3://<bucket>/<path>.'),
    }),
    http: record('Web addresses.', { url: words('The addresses.') }),
  }),
  image: text('The image TensorBoard is started from.'),
  suspend: flag('Stop it; the object stays.'),
  runMode: text('The older way to stop it.', { enum: ['', 'running', 'paused'] }),
  scheduler: scheduler(0),
  resources,
})
