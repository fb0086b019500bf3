// The paid requests of a customer; a repeated request has the same body and the same key.
import type { Answer, TestCustomer } from '../../support/service.ts'
import type { Case, Command } from '../matrix/cases.ts'

/** The transfer code of the other registrar's names. */
export const authCode = 'Move-me-here-1234567890!'

export type Request = { path: string; body: object; key: string; idempotency_key?: string }

export async function post(url: string, request: Request): Promise<Answer> {
  const { path, body, key, idempotency_key } = request
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...(idempotency_key ? { 'idempotency-key': idempotency_key } : {}),
    },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
}

export function must(answer: Answer, status: number): Answer {
  if (answer.status !== status) throw new Error(`${answer.status}, not ${status}: ${answer.text}`)
  return answer
}

/** Sends the request of the case's buyer, always with the same key. */
export function requestOf(one: Case, buyer: TestCustomer): Request {
  const { command, domain, history } = one
  const idempotency_key = `${command}-${domain}`
  return { ...paths[command](domain, history), key: buyer.key, idempotency_key }
}

const paths: Record<
  Command,
  (domain: string, history: Case['history']) => { path: string; body: object }
> = {
  register: (domain) => ({ path: '/v1/domains', body: { domain } }),
  // In the auto-renew grace period one year exists already, so one of two is sent.
  renew: (domain, history) => ({
    path: `/v1/domains/${domain}/renew`,
    body: { period_years: history === 'grace' ? 2 : 1 },
  }),
  transfer: (domain) => ({
    path: '/v1/domains/transfer',
    body: { domain, auth_code: authCode },
  }),
  restore: (domain) => ({ path: `/v1/domains/${domain}/restore`, body: {} }),
}

/** The registry's command that the request pays for. */
export const commandOf: Record<Command, string> = {
  register: 'domain:create',
  renew: 'domain:renew',
  transfer: 'domain:transfer',
  restore: 'domain:update',
}
