// The simulated mail server: SMTP on loopback that forwards nothing and keeps every mail it gets.
import { EventEmitter, once } from 'node:events'
import { type Fault, Faults } from './faults.ts'
import { folderMailbox, type KeptMail, type Mailbox, memoryMailbox } from './mailbox.ts'
import { openSmtpServer } from './smtp.ts'

export { FAULTS, type Fault, isFaultName } from './faults.ts'

type MailServerOptions = {
  /** The folder of the mails, or null to keep them in memory only. */
  data_dir: string | null
  /** The port of 127.0.0.1; 0 or undefined means any free one. */
  port?: number
}

export type MailServer = {
  url: string
  port: number
  /** The mails, oldest first. */
  list(): KeptMail[]
  read(id: string): KeptMail | null
  find(message: string): KeptMail | null
  clear(): void
  /** @throws RangeError */
  setFault(fault: Fault): void
  clearFaults(): void
  faults(): Fault[]
  /** Resolves with the result of `look`, either now or when a mail arrives. Rejects after 15 s. */
  until<T>(look: Look<T>): Promise<T>
  close(): Promise<void>
}

const host = '127.0.0.1'
const wait_limit_ms = 15_000

/** Starts the server, which listens when this returns. */
export async function startMailServer(options: MailServerOptions): Promise<MailServer> {
  const now = () => new Date()
  const { data_dir } = options
  const mailbox = data_dir === null ? memoryMailbox(now) : folderMailbox(data_dir, now)
  const faults = new Faults()
  const arrivals = new EventEmitter().setMaxListeners(0)
  const smtp = await openSmtpServer({
    mailbox,
    faults,
    arrived: () => arrivals.emit('mail'),
    at: { host, port: options.port ?? 0 },
  })
  return {
    url: `smtp://${host}:${smtp.port}`,
    port: smtp.port,
    list: () => mailbox.list(),
    read: (id) => mailbox.read(id),
    find: (message) => mailbox.find(message),
    clear: () => mailbox.clear(),
    setFault: (fault) => faults.set(fault),
    clearFaults: () => faults.clear(),
    faults: () => faults.list(),
    until: (look) => until(mailbox, arrivals, look),
    close: () => smtp.close(),
  }
}

/** Returns undefined while it finds nothing. */
type Look<T> = (mails: KeptMail[]) => Promise<T | undefined> | T | undefined

async function until<T>(mailbox: Mailbox, arrivals: EventEmitter, look: Look<T>): Promise<T> {
  const late = AbortSignal.timeout(wait_limit_ms)
  for (;;) {
    // It subscribes before it looks, because a mail may arrive meanwhile.
    const next = once(arrivals, 'mail', { signal: late })
    next.catch(() => undefined)
    const found = await look(mailbox.list())
    if (found !== undefined) return found
    await next.catch((cause) => {
      const kept = mailbox.list().length
      throw new Error(`No such mail within ${wait_limit_ms} ms; ${kept} are there`, { cause })
    })
  }
}
