// Fixture of the module's tests: a service with stand-in providers, with new users and without
// faults for each test.
import { after, beforeEach } from 'node:test'
import type { Email } from 'postal-mime'
import { rowsIn } from '../../../test/support/owner-sql.ts'
import { startService } from '../../../test/support/service.ts'
import {
  openGithubStandIn,
  openIssuer,
  someUser,
  ssoSettings,
} from '../../../test/support/sso/identity-providers.ts'
import { type SsoBrowser, ssoBrowser } from '../../../test/support/sso/sso-browser.ts'

/** Providers "acme", "other" and "github". */
export async function openSso() {
  const [issuer, other, github] = await Promise.all([
    openIssuer(),
    openIssuer(),
    openGithubStandIn(),
  ])
  const all = [issuer, other, github]
  const urls = { acme: issuer.url, other: other.url, github: github.url }
  const registrar = await startService({ settings: ssoSettings(urls) })
  after(() => Promise.all(all.map((one) => one.close())))
  beforeEach(() => {
    for (const one of all) Object.assign(one, { user: someUser(), faults: {} })
  })
  return {
    ...{ registrar, rows: rowsIn(registrar), issuer, other, github },
    /** Logs in or signs up, as the provider's user. */
    async exchanged(provider = 'acme', browser: SsoBrowser = ssoBrowser(registrar)) {
      return browser.exchange({ ticket: await browser.ticket(provider) })
    },
    /** A browser with the callback's path of a started log-in. */
    async atCallback(provider = 'acme'): Promise<{ browser: SsoBrowser; path: string }> {
      const browser = ssoBrowser(registrar)
      return { browser, path: await browser.agree(await browser.start(provider)) }
    },
    /** The text of the newest mail to an address with such a subject. */
    async mailTo(email: string, subject: RegExp): Promise<string> {
      const wanted = (mail: Email) =>
        mail.to?.[0]?.address === email && subject.test(mail.subject ?? '')
      for (let i = 0; i < 400; i += 1) {
        const found = (await registrar.mails()).filter(wanted).at(-1)
        if (found) return found.text ?? ''
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      throw new Error(`No mail to ${email}`)
    },
  }
}

export function outcome({ status, body }: { status: number; body: { code?: string } }): string {
  return `${status} ${body.code ?? ''}`.trim()
}
