// The services that the test files of one shard share, each started for the first file that asks.
// Unlike test/support, this module is evaluated once.
import type { Node } from '../support/node.ts'

/**
 * `worker`: jobs run. `idle`: none do. `moved`: none do, and files move its registries' clock, arm
 * their faults and change their settings.
 */
export type SharedKind = 'worker' | 'idle' | 'moved'

const nodes = new Map<SharedKind, Promise<Node>>()
let inShard = false

/** From now on files share; a file that runs alone has a service of its own. */
export function shareNodes(): void {
  inShard = true
}

/** Null: nothing is shared here. */
export async function sharedNode(kind: SharedKind): Promise<Node | null> {
  if (!inShard) return null
  const node = nodes.get(kind) ?? open(kind)
  nodes.set(kind, node)
  return node
}

async function open(kind: SharedKind): Promise<Node> {
  // Loaded where it is asked for: some shards need no service.
  const { openNode } = await import('../support/node.ts')
  return openNode({ worker: kind === 'worker' })
}

export async function closeSharedNodes(): Promise<void> {
  await Promise.all([...nodes.values()].map(async (node) => (await node).close()))
}
