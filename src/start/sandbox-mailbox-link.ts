// The link in a mail that the sandbox stores in its folder: the first start prints it, as the mail
// reaches no inbox.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Settings } from '../config/config.ts'

const usual_ms = 8_000
const poll_ms = 50

/** The folder where the sandbox keeps mails while no SMTP_URL is set. */
export function sandboxMailbox({ data_dir }: Pick<Settings, 'data_dir'>): string {
  return join(data_dir, 'sandbox-mailbox')
}

/** The link in the newest such mail, or null where none came in time. */
export async function mailedLink(
  settings: Pick<Settings, 'data_dir'>,
  to: string,
  most_ms = usual_ms,
): Promise<{ link: string | null; folder: string }> {
  const folder = sandboxMailbox(settings)
  for (let waited_ms = 0; waited_ms < most_ms; waited_ms += poll_ms) {
    const link = linkIn(folder, to)
    if (link !== null) return { link, folder }
    // Nothing waits for this, so a stop need not either.
    await setTimeout(poll_ms, undefined, { ref: false })
  }
  return { link: null, folder }
}

function linkIn(folder: string, to: string): string | null {
  for (const name of readdirSync(folder).filter((name) => name.endsWith('.eml'))) {
    const mail = plain(readFileSync(join(folder, name), 'utf8'))
    const link = /^https?:\S+\/password\?token=\w+/m.exec(mail)?.[0]
    if (link !== undefined && mail.includes(to)) return link
  }
  return null
}

/** Decodes quoted-printable text (RFC 2045, 6.7) as far as a link needs it. */
function plain(mail: string): string {
  return mail.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')
}
