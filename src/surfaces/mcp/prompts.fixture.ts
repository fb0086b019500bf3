// Prompts for tests, with arguments that fit.
import assert from 'node:assert/strict'
import { promptOf } from './prompts.ts'

/** Every argument that a prompt needs. */
export const fitting: Record<string, Record<string, string>> = {
  find_and_buy_name: { idea: 'a bakery in Lyon', max_price: '15.00' },
  renew_expiring: { max_total: '100.00' },
  move_domain_here: { domain: 'my-agent.com', max_price: '15.00' },
  review_domains: {},
}

/** The one text of a prompt. */
export function textOfPrompt(name: string, given = fitting[name]): string {
  const { messages } = promptOf(name, given)
  const [message] = messages
  assert.ok(messages.length === 1 && message?.content.type === 'text')
  assert.equal(message.role, 'user')
  return message.content.text
}
