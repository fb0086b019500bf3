// Registrations of different names, made with one key after the other.
import { randomBytes } from 'node:crypto'
import { type Hits, shoot } from './http-load.ts'

export const connections = 32

/** Every request has another name and the next key. */
export function buyer(
  url: string,
  buyers: readonly { key: string }[],
): (seconds: number) => Promise<Hits> {
  const run = randomBytes(4).toString('hex')
  let next = 0
  return (seconds) =>
    shoot({
      url: `${url}/v1/domains`,
      method: 'POST',
      connections,
      seconds,
      body: () => {
        next += 1
        return {
          body: JSON.stringify({ domain: `bench-${run}-${next}.com`, max_price: '20.00' }),
          headers: { authorization: `Bearer ${buyers[next % buyers.length]?.key}` },
        }
      },
    })
}
