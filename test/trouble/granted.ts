// What the installation grants the operator, and what it has used of it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import type { KubeObject } from '../../src/kube/index.ts'
import type { AuditEntry } from './audit-log.ts'

interface Role extends KubeObject {
  rules?: { apiGroups: string[]; resources: string[]; verbs: string[] }[]
}

const FILE = join(import.meta.dirname, '../../deploy/trainyard.yaml')
const RIGHTS = ['Namespace', 'ServiceAccount', 'ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding']

/** The installation without what would run in it. */
export function readRights(): Role[] {
  const all = parseAllDocuments(readFileSync(FILE, 'utf8')).map((document) => document.toJS() as Role)
  return all.filter(({ kind = '' }) => RIGHTS.includes(kind))
}

/** `create pods`, `update tfjobs.kubeflow.org/status`. */
export function grantedIn(objects: readonly Role[]): string[] {
  const operators = objects.filter(({ metadata }) => metadata.name?.startsWith('trainyard-operator'))
  const granted = operators.flatMap(({ rules = [] }) =>
    rules.flatMap(({ apiGroups, resources, verbs }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) => verbs.map((verb) => describeRight(verb, group, ...resource.split('/')))),
      ),
    ),
  )
  return [...new Set(granted)].sort()
}

function describeRight(verb: string, group: string, resource = '', subresource = ''): string {
  return `${verb} ${resource}${group ? `.${group}` : ''}${subresource ? `/${subresource}` : ''}`
}

export function usedIn(entries: readonly AuditEntry[]): string[] {
  const used = entries.flatMap(({ verb, objectRef: at }) =>
    at?.resource ? [describeRight(verb, at.apiGroup ?? '', at.resource, at.subresource)] : [],
  )
  return [...new Set(used)].sort()
}

/**
 * Nobody asks for finalizers: who sets an owner reference that blocks the owner's deletion must be allowed to, and that
 * is looked up without a request.
 */
export const isSilent = (right: string): boolean => right.endsWith('/finalizers')
