// A proxy between a node and PostgreSQL that can cut the connection at a given statement.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** `answer`: the statement takes effect, and its answer is lost. `request`: it never arrives. */
type Cut = { statement: string; loses: 'answer' | 'request' }
type Proxy = {
  url: string
  /** Cuts the connection once, at the next such statement, and resolves when it has done so. */
  cut: (how: Cut) => Promise<void>
  close: () => void
}

/** `url`: the database over its Unix socket (?host=folder). */
export async function openProxy(url: string): Promise<Proxy> {
  const target = new URL(url)
  const path = `${target.searchParams.get('host')}/.s.PGSQL.5432`
  let armed: { how: Cut; done: () => void } | null = null
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(path)
    let detached = false
    for (const one of [near, far]) {
      open.add(one)
      one.on('error', () => undefined)
      one.on('close', () => {
        open.delete(one)
        near.destroy()
        far.destroy()
      })
    }
    near.on('data', (bytes) => {
      const hit = armed?.how && bytes.includes(armed.how.statement) ? armed : null
      if (!hit) {
        far.write(bytes)
        return
      }
      armed = null
      if (hit.how.loses === 'request') near.destroy()
      else {
        detached = true
        far.write(bytes)
        // Its first answer comes after the commit: the statement is its own transaction.
        far.once('data', () => near.destroy())
      }
      hit.done()
    })
    far.on('data', (bytes) => {
      if (!detached) near.write(bytes)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('No port')
  target.search = ''
  target.hostname = '127.0.0.1'
  target.port = String(address.port)
  return {
    url: target.href,
    cut: (how) =>
      new Promise((resolve) => {
        armed = { how, done: resolve }
      }),
    close() {
      server.close()
      for (const one of open) one.destroy()
    },
  }
}
