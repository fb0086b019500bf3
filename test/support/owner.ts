// An owner with an account, money, a password, and a browser.
import assert from 'node:assert/strict'
import { type Choice, decideIn, openBrowser } from './browser.ts'
import type { CustomerOptions, TestCustomer, TestService } from './service.ts'

export { type Choice, decideAt, filledIn, openBrowser } from './browser.ts'

export type Owner = TestCustomer & {
  password: string
  /**
   * Opens what a client asks for, logs in, decides. Answers where the browser is sent in the end,
   * which is the client's and is not opened.
   */
  decide: (authorizeUrl: string | URL, choice?: Choice) => Promise<URL>
}

/** Sets the password with the token of the link that an operator has mailed. */
async function setPassword(registrar: TestService, customer: TestCustomer, password: string) {
  const path = `/v1/customers/${customer.id}/password-setup`
  const asked = await registrar.request('POST', path, { token: registrar.operatorKey })
  assert.equal(asked.status, 202, asked.text)
  const mails = await registrar.mails({ to: customer.email, subject: /password/i })
  const token = /\/password\?token=(\S+)/.exec(mails.at(-1)?.text ?? '')?.[1]
  const confirm = '/v1/dashboard/password-reset/confirm'
  const set = await registrar.request('POST', confirm, { body: { token, password } })
  assert.equal(set.status, 200, set.text)
}

/** A new customer with money, a default registrant and a password, and their browser. */
export async function newOwner(
  registrar: TestService,
  options: CustomerOptions = {},
): Promise<Owner> {
  const customer = await registrar.customer(options)
  const password = `a good long password of ${customer.id}`
  await setPassword(registrar, customer, password)
  const browser = openBrowser(registrar.url)
  return {
    ...customer,
    password,
    decide: (authorizeUrl, choice = {}) =>
      decideIn(browser, authorizeUrl, { login: { email: customer.email, password }, choice }),
  }
}
