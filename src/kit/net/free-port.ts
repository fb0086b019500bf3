// A free port, for callers that must know it before they listen.

import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { systemChance } from '../clock.ts'

// The ports are below those that Linux (32768), macOS and Windows (49152) give to outgoing
// connections: such a connection could take the port between this look and the listening.
const lowest = 20_000
const highest = 32_767
const most_tries = 50

/**
 * `release` gives the port up when the caller is about to listen there; it may be called more than
 * once.
 */
type KeptPort = { port: number; release: () => Promise<void> }

/**
 * Finds a port that is free for TCP at this host, and almost certainly for UDP, and keeps it until
 * it is released.
 */
export async function keepPort(host = '127.0.0.1'): Promise<KeptPort> {
  for (let tried = 0; ; tried++) {
    const port = lowest + Math.floor(systemChance() * (highest - lowest + 1))
    try {
      // A chance connection is closed, so that it does not delay the release.
      const keeper = createServer((socket) => socket.destroy())
      keeper.listen(port, host)
      await once(keeper, 'listening')
      return { port, release: () => closed(keeper) }
    } catch (error) {
      if (tried === most_tries) throw error
    }
  }
}

/** Finds such a port without keeping it: another process may take it before the caller does. */
export async function freePort(host?: string): Promise<number> {
  const { port, release } = await keepPort(host)
  await release()
  return port
}

async function closed(server: Server): Promise<void> {
  if (!server.listening) return
  server.close()
  await once(server, 'close')
}
