// dig, the resolver's tool: a DNS client that is none of ours.
import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
const installed = spawnSync('dig', ['-v']).status === 0

/** Why tests with dig cannot run; false where they can, and in CI, where they must. */
export const skipDig =
  installed || process.env.CI === 'true'
    ? false
    : 'dig is not installed: apt-get install bind9-dnsutils'

export type Dug = {
  /** E.g. NXDOMAIN. */
  status: string
  flags: string[]
  /** Records as "name. ttl IN type data", with single spaces. */
  answer: string[]
  authority: string[]
  additional: string[]
  text: string
}

/** One question, e.g. `dig(place, 'www.example.com', 'A', '+tcp')`. */
export async function dig(place: { host: string; port: number }, ...words: string[]): Promise<Dug> {
  const fixed = [`@${place.host}`, '-p', String(place.port), '+norec', '+tries=1', '+time=5']
  const { stdout: text } = await run('dig', [...fixed, ...words])
  const section = (name: string) =>
    (text.split(`;; ${name} SECTION:\n`)[1] ?? '')
      .split('\n\n')[0]
      ?.split('\n')
      .filter((line) => line !== '' && !line.startsWith(';'))
      .map((line) => line.replaceAll(/\s+/g, ' ')) ?? []
  return {
    status: /status: (\w+)/.exec(text)?.[1] ?? '',
    flags: /flags: ([\w ]*);/.exec(text)?.[1]?.split(' ') ?? [],
    answer: section('ANSWER'),
    authority: section('AUTHORITY'),
    additional: section('ADDITIONAL'),
    text,
  }
}
