// Which driver applies a case: by its category and the moment it speaks of.
import type { Answers, Edition, Given } from '../case.ts'
import { askDistributed, askOwner, buildPod, buildService, createService, nameObjects } from './build.ts'
import { follow } from './conditions.ts'
import { applyDefaults } from './defaulting.ts'
import { tell } from './events.ts'
import { askScheduler } from './gang.ts'
import {
  askWorker0,
  classifyExit,
  cleanUp,
  compareIndices,
  isFinished,
  reconcile,
  selectByType,
  updateStatus,
} from './one-look.ts'
import { claim } from './ownership.ts'
import { live, outlive, spendBudget } from './rehearsals.ts'
import { ask, create, go } from './suspend.ts'
import { expire, passDeadline } from './time.ts'
import { admit, checkSpec } from './validation.ts'

type Driver = (given: Given, edition: Edition) => Answers | Promise<Answers>

export const DRIVERS: Record<string, Driver> = {
  'defaulting: apply defaults': applyDefaults,
  'validation: validate': checkSpec,
  'validation: admission create': admit,
  'sync: one reconcile': reconcile,
  'status: status update': updateStatus,
  'worker0: query': askWorker0,
  'restart: build pod': buildPod,
  'restart: classify': classifyExit,
  'restart: one reconcile': reconcile,
  'restart: e2e': live,
  'clean_pod: one reconcile': reconcile,
  'clean_pod: cleanup': cleanUp,
  'clean_pod: e2e': live,
  'ttl: one reconcile': reconcile,
  'ttl: cleanup': expire,
  'ttl: compute': expire,
  'ttl: time passes': outlive,
  'deadline: one reconcile': passDeadline,
  'deadline: query': passDeadline,
  'backoff: query': spendBudget,
  'tf_config: build pod': buildPod,
  'tf_config: query': askDistributed,
  'tf_config: e2e': buildPod,
  'naming: e2e': nameObjects,
  'naming: build pod': buildPod,
  'naming: build service': buildService,
  'naming: create service': createService,
  'naming: query': (given, edition) => {
    if (given.has('existingIndices')) return compareIndices(given, edition)
    return given.has('pods') ? selectByType(given, edition) : askOwner(given, edition)
  },
  'scale: one reconcile': reconcile,
  'conditions: sequence': follow,
  'conditions: query': isFinished,
  'suspend: create job': create,
  'suspend: sequence': go,
  'suspend: query': ask,
  'expectations: claim': claim,
  'gang: query': askScheduler,
  'gang: one reconcile': reconcile,
  'e2e: e2e': live,
  'events: event': tell,
}
