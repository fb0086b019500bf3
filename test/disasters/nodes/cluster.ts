// Three nodes with workers over one database, behind one balancer, and registries that count their
// sessions.
import { generateKeyPairSync } from 'node:crypto'
import { after } from 'node:test'
import { startSandbox } from '../../../sandbox/registry/index.ts'
import { type DisasterSetup, startSetup } from '../support/disaster-setup.ts'
import type { RunningNode } from '../support/nodes.ts'
import { type Balancer, drain_delay_ms, openBalancer } from './balancer.ts'

/**
 * The same number as in registries.yaml of the disasters: with one more, the registry answers 2502.
 */
const sessions_per_registrar = 6
/** The requests per minute of one address, over all nodes. */
export const anonymous_quota = 60

type Cluster = DisasterSetup & {
  balancer: Balancer
  /** The nodes that run, oldest first. */
  nodes: RunningNode[]
  /**
   * Starts a node, from the tree of another version if one is given, and adds it to the balancer.
   */
  join: (tree?: string) => Promise<RunningNode>
  /** Log-ins that a registry has refused because all sessions were in use. */
  sessionsRefused: () => number
  sessionsOpen: () => number
}

export async function startCluster(count: number): Promise<Cluster> {
  const { privateKey } = generateKeyPairSync('ed25519')
  const key = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')
  const sandbox = await startSandbox({
    data_dir: null,
    pki_dir: process.env.TEST_PKI_DIR,
    settings: { sessions_per_registrar, sixty_day_rule: false },
  })
  const balancer = await openBalancer()
  const setup = await startSetup({
    sandbox,
    settings: {
      AUDIT_SIGNING_KEY: key,
      DRAIN_DELAY_MS: String(drain_delay_ms),
      ANONYMOUS_REQUESTS_PER_MINUTE: String(anonymous_quota),
      // The balancer says which address asked.
      TRUSTED_PROXIES: '127.0.0.1',
    },
  })
  // This runs after the setup's nodes have ended.
  after(async () => {
    balancer.close()
    await sandbox.close()
  })
  const nodes: RunningNode[] = []
  const join = async (tree?: string) => {
    const node = await setup.node({
      worker: true,
      ...(tree === undefined ? {} : { tree }),
      settings: { SMTP_URL: setup.registrar.mailbox.url },
    })
    await balancer.add(node.url)
    nodes.push(node)
    return node
  }
  await Promise.all(Array.from({ length: count }, () => join()))
  const counters = () => Object.values(sandbox.counters())
  return {
    ...setup,
    ...{ balancer, nodes, join },
    sessionsRefused: () =>
      counters().reduce((sum, { commands }) => sum + (commands.login?.codes['2502'] ?? 0), 0),
    sessionsOpen: () => counters().reduce((sum, { sessions }) => sum + sessions.logged_in, 0),
  }
}
