// Cases that are not applied, each with its reason. There are three reasons and no others.

export interface LeftOut {
  id: string
  reason: 'kind' | 'internals' | 'ruled'
  /** What it asserts that has no counterpart, or the ruling that overrules it. */
  why: string
}

const POD_POLICY = 'pod restartPolicy: always Never on the pod; a restart is a new pod made by the controller'
const BUDGET =
  'budgets: every restart granted spends one and exceeding the limit fails a TFJob; upstream fails it already when the limit is reached'
const OWNERSHIP = "objects of the same name: ours is what carries a controller reference with the job's uid"

/** Kind PyTorchJob is not among ours; those are found by their kind. */
export const LEFT_OUT: LeftOut[] = [
  { id: 'RESTART-003', reason: 'ruled', why: POD_POLICY },
  { id: 'RESTART-004', reason: 'ruled', why: POD_POLICY },
  {
    id: 'DEADLINE-003',
    reason: 'ruled',
    why: 'activeDeadlineSeconds: zero or negative is rejected',
  },
  { id: 'BACKOFF-001', reason: 'ruled', why: BUDGET },
  { id: 'BACKOFF-003', reason: 'ruled', why: BUDGET },
  { id: 'BACKOFF-006', reason: 'ruled', why: BUDGET },
  { id: 'EXPECTATIONS-005', reason: 'ruled', why: OWNERSHIP },
  { id: 'EXPECTATIONS-009', reason: 'ruled', why: OWNERSHIP },
  {
    id: 'GANG-001',
    reason: 'ruled',
    why: 'gang: one PodGroup named as the job; there are no PodDisruptionBudgets',
  },
  {
    id: 'CONVERSION-001',
    reason: 'ruled',
    why: 'TFJob versions: conversion None, flat fields and runPolicy are accepted under both versions and stored as written',
  },
  { id: 'NAMING-002', reason: 'internals', why: 'a helper that makes names from queue keys with slashes' },
  { id: 'NAMING-003', reason: 'internals', why: 'a helper that makes names from queue keys with slashes' },
  { id: 'NAMING-006', reason: 'internals', why: 'a helper that makes labels from queue keys with slashes' },
  { id: 'EXPECTATIONS-002', reason: 'internals', why: 'expectations: the bookkeeping of writes not yet seen' },
  { id: 'EXPECTATIONS-003', reason: 'internals', why: 'expectations: the bookkeeping of writes not yet seen' },
  { id: 'EXPECTATIONS-011', reason: 'internals', why: 'the key an informer handler puts into the work queue' },
]
