// The ten faults, each at its real place: the registry, the network, the node, another buyer.
import type { TestService } from '../support/service.ts'

const slow_ms = 800

export function openFaults({ sandbox }: TestService) {
  return {
    /** The registry carries out the command, and its reply is lost. */
    loseReply: (domain: string) =>
      sandbox.setFault({ name: 'drop_after', command: 'domain:create', domain }),
    /** The registry closes every connection, until it is back. */
    takeRegistryDown(): void {
      sandbox.setFault({ name: 'drop_before', registry: 'thin', times: null })
      sandbox.setFault({ name: 'drop_before', registry: 'thin', command: 'login', times: null })
    },
    bringRegistryBack: () => sandbox.clearFaults(),
    /** The registry takes longer than the agent waits. */
    slowDown: (domain: string) =>
      sandbox.setFault({ name: 'slow', command: 'domain:create', domain, delay_ms: slow_ms }),
  }
}
