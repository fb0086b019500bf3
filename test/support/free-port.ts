// A port that nobody has now, for programs that must be told theirs.
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Free for TCP, and as good as free for UDP. */
export async function freePort(): Promise<number> {
  const probe = createServer()
  probe.listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (typeof address !== 'object' || address === null) throw new Error('No free port')
  return address.port
}
