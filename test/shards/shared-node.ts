// The services that the test files of one shard share: one with a worker and one without, each
// started for the first file that asks. Unlike test/support, this module is evaluated once.
import type { Node } from '../support/node.ts'

const nodes = new Map<boolean, Promise<Node>>()
let inShard = false

/** From now on files share; a file that runs alone has a service of its own. */
export function shareNodes(): void {
  inShard = true
}

/** Null: nothing is shared here. */
export async function sharedNode(worker: boolean): Promise<Node | null> {
  if (!inShard) return null
  const node = nodes.get(worker) ?? open(worker)
  nodes.set(worker, node)
  return node
}

async function open(worker: boolean): Promise<Node> {
  // Loaded where it is asked for: some shards need no service.
  const { openNode } = await import('../support/node.ts')
  return openNode({ worker })
}

export async function closeSharedNodes(): Promise<void> {
  await Promise.all([...nodes.values()].map(async (node) => (await node).close()))
}
