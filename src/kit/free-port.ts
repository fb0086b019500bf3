// A port that nobody has now, for who must know it before it listens.
import { once } from 'node:events'
import { createServer } from 'node:net'

// Below what Linux (32768), macOS and Windows (49152) give to outgoing connections: one of those
// could take the port between this look and the listening.
const lowest = 20_000
const highest = 32_767
const most_tries = 50

/** Free for TCP at this host, and as good as free for UDP; not kept for the caller. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let tried = 0; ; tried++) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest + 1))
    try {
      await listenOnce(host, port)
      return port
    } catch (error) {
      if (tried === most_tries) throw error
    }
  }
}

async function listenOnce(host: string, port: number): Promise<void> {
  const probe = createServer()
  probe.listen(port, host)
  await once(probe, 'listening')
  probe.close()
  await once(probe, 'close')
}
