// The training container's command and args by run mode, and variables put before the user's own.
import type { Container, EnvVar, PodSpec } from '../../gen/kubernetes-types.ts'
import type { Role } from './job-model.ts'

export interface Shape {
  command?: string[]
  args?: string[]
  keepInitContainers: boolean
}

/** Debug replaces the command and drops the args; after a pause each of the two may be another. */
export function shapeOf(role: Role, container: Container | undefined, resumed: boolean): Shape {
  if (role.debug) return { command: role.debug.command, keepInitContainers: !role.debug.skipInitContainer }
  const resume = resumed ? role.resume : undefined
  return {
    command: resume?.command ?? container?.command,
    args: resume?.args ?? container?.args,
    keepInitContainers: !resume?.skipInitContainer,
  }
}

export function withCommand(container: Container, shape: Pick<Shape, 'command' | 'args'>): Container {
  const { command: _command, args: _args, ...rest } = container
  return {
    ...rest,
    ...(shape.command && { command: shape.command }),
    ...(shape.args && { args: shape.args }),
  }
}

/** No name stands twice: a variable the user sets stays as written and ours is left out. */
export function withVariables(container: Container, variables: readonly EnvVar[]): Container {
  const own = container.env ?? []
  const taken = new Set(own.map((variable) => variable.name))
  const added = variables.filter((variable) => !taken.has(variable.name))
  return added.length === 0 ? container : { ...container, env: [...added, ...own] }
}

export function replaceContainer(spec: PodSpec, index: number, change: (container: Container) => Container): PodSpec {
  return { ...spec, containers: spec.containers.map((container, i) => (i === index ? change(container) : container)) }
}
