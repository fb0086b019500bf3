// The mail store of the simulated mail server: mails with their envelope, in a folder of .eml files
// or in memory.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'

type Envelope = { from: string; to: string[] }
export type KeptMail = Envelope & {
  id: string
  received_at: string
  /** The message as it came over the wire, CRLF and all. */
  raw: string
}

/** A bound for tests that run away: if it is exceeded, the oldest mails are deleted. */
const most = 10_000

export type Mailbox = {
  put(mail: Envelope & { raw: string }): Promise<KeptMail>
  list(): KeptMail[]
  read(id: string): KeptMail | null
  /** The newest mail with this local part of a Message-ID. */
  find(message: string): KeptMail | null
  clear(): void
}

/** A store in memory, for tests. */
export function memoryMailbox(now: () => Date): Mailbox {
  let mails: KeptMail[] = []
  let count = 0
  return {
    async put({ from, to, raw }) {
      count += 1
      const kept = { id: String(count), received_at: now().toISOString(), from, to, raw }
      mails.push(kept)
      if (mails.length > most) mails.shift()
      return kept
    },
    list: () => [...mails],
    read: (id) => mails.find((mail) => mail.id === id) ?? null,
    find: (message) => mails.findLast((mail) => hasMessageId(mail, message)) ?? null,
    clear: () => {
      mails = []
    },
  }
}

const ending = '.eml'

/**
 * A store in a folder, with one file per mail that is durable before the mail is acknowledged. The
 * names are in order of arrival.
 */
export function folderMailbox(folder: string, now: () => Date): Mailbox {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const names = () =>
    readdirSync(folder)
      .filter((name) => name.endsWith(ending))
      .sort()
  let count = 0
  const readName = (name: string): KeptMail =>
    unpack(name, readFileSync(join(folder, name), 'utf8'))
  return {
    async put(mail) {
      count += 1
      const received_at = now().toISOString()
      const stamp = received_at.replaceAll(':', '-')
      const name = `${stamp}-${String(count).padStart(4, '0')}${ending}`
      const draft = join(folder, `${name}.draft`)
      const file = await open(draft, 'w', 0o600)
      await file.writeFile(pack({ ...mail, received_at }))
      await file.sync()
      await file.close()
      renameSync(draft, join(folder, name))
      for (const old of names().slice(0, -most)) rmSync(join(folder, old), { force: true })
      return { id: name.slice(0, -ending.length), received_at, ...mail }
    },
    list: () => names().map(readName),
    read: (id) => {
      const known = /^[\w.-]+$/.test(id) && existsSync(join(folder, id + ending))
      return known ? readName(id + ending) : null
    },
    find: (message) => {
      for (const name of names().reverse()) {
        const mail = readName(name)
        if (hasMessageId(mail, message)) return mail
      }
      return null
    },
    clear: () => {
      for (const name of names()) rmSync(join(folder, name), { force: true })
    },
  }
}

function hasMessageId({ raw }: KeptMail, message: string): boolean {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n'))
  return head.includes(`<${message}@`)
}

/** Writes the envelope before the message as trace fields, as a delivering server does. */
function pack({ from, to, raw, received_at }: Omit<KeptMail, 'id'>): string {
  const lines = [`Return-Path: <${from}>`, ...to.map((one) => `Delivered-To: ${one}`)]
  return `${[...lines, `X-Received-At: ${received_at}`].join('\r\n')}\r\n${raw}`
}

function unpack(name: string, text: string): KeptMail {
  const kept: KeptMail = {
    id: name.slice(0, -ending.length),
    received_at: '',
    from: '',
    to: [],
    raw: '',
  }
  let rest = text
  for (;;) {
    const end = rest.indexOf('\r\n')
    const line = rest.slice(0, end)
    rest = rest.slice(end + 2)
    const value = line.slice(line.indexOf(':') + 2)
    if (line.startsWith('Return-Path: ')) kept.from = value.slice(1, -1)
    else if (line.startsWith('Delivered-To: ')) kept.to.push(value)
    if (!line.startsWith('X-Received-At: ')) continue
    return { ...kept, received_at: value, raw: rest }
  }
}
