// The owner: logs in, consents with a cap, pays, approves, and changes limits, in a browser without
// scripts and in a session of the dashboard.
import assert from 'node:assert/strict'
import { newVisitor } from '../../src/oauth/consent/consent.fixture.ts'
import { exchange } from '../support/http.ts'
import type { Owner } from '../support/owner.ts'
import type { Answer, TestService } from '../support/service.ts'
import { recentSessionOf } from '../support/sign-in.ts'
import type { Transcript } from './transcript.ts'

type Done = { does: string; why: string }

/** `node`: the service, at the address that the agent knows. */
export function openPerson(node: TestService, owner: Owner, transcript: Transcript) {
  async function session(method: string, path: string, body?: object): Promise<Answer> {
    const token = await recentSessionOf(node, owner)
    return node.request(method, path, { token, ...(body && { body }) })
  }
  const note = ({ does, why }: Done, outcome = 'done') =>
    transcript.add({ by: 'owner', does, why, outcome })

  async function must(done: Promise<Answer>): Promise<Answer['body']> {
    const { status, text, body } = await done
    assert.ok(status < 300, text)
    return body
  }

  let asked = 0

  return {
    /**
     * The first consent is without the top-ups, and the agent gets all scopes once it comes back
     * for them.
     */
    chosen(scopes: string[]): string[] {
      asked += 1
      return asked > 1 ? scopes : scopes.filter((scope) => scope !== 'billing:write')
    },
    /** The redirect to the agent, with the code. */
    async consent(
      url: string,
      { cap, scopes, why }: { cap: string; scopes: string[]; why: string },
    ): Promise<URL> {
      const visitor = newVisitor(node)
      const { form } = await visitor.page(new URL(url))
      const more: [string, string][] = [['spend_amount', cap]]
      const answer = await visitor.decide(form, owner, { scopes: this.chosen(scopes), more })
      const away = await visitor.leave(answer)
      note({
        does:
          asked > 1
            ? 'consents to top-ups, too'
            : `consents, without top-ups and with ${cap} USD a month at most`,
        why: `The agent has sent the owner there. ${why}`,
      })
      return away
    },
    pay: (page_url: string) => pay(page_url, note),
    async setLimits(done: Done, limits: object): Promise<void> {
      const { oauth_grants } = await must(session('GET', '/v1/account/oauth-grants'))
      const [grant] = oauth_grants
      await must(session('PATCH', `/v1/account/oauth-grants/${grant.id}`, limits))
      note(done)
    },
    async approve(id: string): Promise<void> {
      await must(session('POST', `/v1/approvals/${id}/approve`, {}))
      note({ does: 'approves', why: 'In the inbox of the dashboard, at the "url" of the answer.' })
    },
    /** The owner makes a mistake, which the agent must find and correct. */
    async breakNameServers(domain: string): Promise<void> {
      const nameservers = ['ns1.parked.example', 'ns2.parked.example']
      await must(session('PATCH', `/v1/domains/${domain}`, { nameservers }))
      note({
        does: 'sets name servers of another company by mistake',
        why: 'The site of the domain is gone. The owner asks the agent to look.',
      })
    },
  }
}

/** Pays on the page of the payment gateway. */
async function pay(page_url: string, note: (done: Done) => void): Promise<void> {
  for (const how of ['exactly', 'confirm']) {
    const body = new URLSearchParams({ how })
    const { status } = await exchange(`${page_url}/pay`, { method: 'POST', body })
    assert.equal(status, 303)
  }
  note({
    does: 'pays',
    why: 'On the page of the payment gateway that the agent has passed on.',
  })
}
