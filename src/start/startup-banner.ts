// The lines that a start prints: URLs, the first keys, three lines to paste that buy a domain, and
// a link to log in.
import { randomInt } from 'node:crypto'
import { hasCustomerWithEmail } from '../capabilities/account/index.ts'
import type { Service } from '../compose.ts'
import { pageOrigin } from '../origins.ts'
import { createDemoCustomer } from './demo-customer.ts'
import { mailedLink } from './sandbox-mailbox-link.ts'

const owner = 'owner@example.net'

/**
 * The lines of a start, all at once, so that no line of the log comes between them. The first start
 * of the sandbox also makes a customer with money and a key to try it with, and mails its owner a
 * link; for the link it waits until `stopped`. A key that was made is in the lines, whatever fails
 * after it.
 */
export async function firstSteps(service: Service, stopped: AbortSignal): Promise<string[]> {
  const { settings, operator_key } = service
  if (settings.environment !== 'sandbox') return startLines(service, null)
  if (operator_key === null) {
    const earlier = await hasCustomerWithEmail(service.app.db, owner)
    return startLines(service, earlier ? { api_key: null } : null)
  }
  const operator = { base_url: settings.base_url, operator_key }
  let api_key: string
  try {
    api_key = await demoCustomer(operator)
  } catch (error) {
    service.app.log.error({ err: error }, 'the customer of the first start was not made')
    return startLines(service, null)
  }
  const ended = new Promise<string[]>((resolve) =>
    stopped.addEventListener('abort', () => resolve([]), { once: true }),
  )
  const logIn = stopped.aborted ? [] : await Promise.race([logInLines(service), ended])
  return [...startLines(service, { api_key }), ...logIn]
}

type Shown = Pick<Service, 'operator_key' | 'settings'>

/** The customer of the first start. The key is null where that start has printed it. */
type FirstCustomer = { api_key: string | null }

function startLines(service: Service, customer: FirstCustomer | null): string[] {
  const { settings, notes } = service
  const { base_url, mcp_url, environment } = settings
  const { host, port } = service.app.dns.place
  return [
    '',
    `agent-registrar 0.1.0 (${environment})`,
    ...columns([
      ['Open', `${pageOrigin(settings)}/`, 'the dashboard: sign up, or log in'],
      ['REST', `${base_url}/v1`, `documents: ${base_url}/docs`],
      ['MCP', `${mcp_url}/mcp`, 'all that an MCP client needs'],
      ['Health', `${base_url}/v1/health`, ''],
      ['DNS', `${host}:${port}`, `dig @${host} -p ${port} <domain> SOA`],
      ['Operate', `${pageOrigin(settings)}/dashboard/operator`, "the operators' pages"],
    ]),
    ...notes.map((note) => `  Note     ${note}`),
    ...keyLines(service),
    ...(environment === 'sandbox' ? tryLines(base_url, customer) : []),
    '',
  ]
}

type Place = [label: string, address: string, words: string]

function columns(places: readonly Place[]): string[] {
  const width = Math.max(...places.map(([, address]) => address.length)) + 3
  return places.map(([label, address, words]) =>
    `  ${label.padEnd(9)}${address.padEnd(width)}${words}`.trimEnd(),
  )
}

/** The operators' key, which is shown once where it was made just now. */
export function keyLines({ operator_key: made, settings }: Shown): string[] {
  const fromEnvironment = settings.operator_key !== null
  const another = 'another key: bin/call create-operator-key --name NAME'
  if (made) return ['', `  Operator key (shown once; ${another}):`, `    ${made}`]
  const where = fromEnvironment ? 'key from OPERATOR_KEY' : 'key of an earlier start'
  return [`  Operator ${where}; ${another}`]
}

function tryLines(base: string, customer: FirstCustomer | null): string[] {
  if (customer === null)
    return [
      '',
      '  Try it   create a customer, with the operator key in API_KEY (docs/operations.md)',
      '    bin/call create_customer email=you@example.net name=You',
    ]
  const { api_key } = customer
  const name = `my-agent-${randomInt(100_000, 1_000_000)}.com`
  return [
    '',
    api_key === null
      ? '  Or buy a domain, with the API key that the first start printed:'
      : '  Or buy a domain: paste these three lines (of a customer with 100.00 USD).',
    '',
    `    API_KEY=${api_key ?? 'ar_test_...'}`,
    `    curl -s ${base}/v1/domains/check/${name}`,
    `    curl -s ${base}/v1/domains -H "Authorization: Bearer $API_KEY" ` +
      `-H 'Content-Type: application/json' ` +
      `-d '{"domain":"${name}","max_price":"20.00"}'`,
  ]
}

/** Without a mail server the sandbox stores the mail in a folder here, so its link is printed. */
async function logInLines({ settings }: Service): Promise<string[]> {
  const { smtp_url, sandbox_registry } = settings
  if (smtp_url !== null || !sandbox_registry)
    return [`  Log in   as ${owner}: an email with a link to set the password was sent there`, '']
  const { link, folder } = await mailedLink(settings, owner)
  const place = link ?? `the mail with the link has not arrived yet; it will be in ${folder}`
  return [
    `  Log in   as ${owner}: set the password here (one use, valid for a day)`,
    `    ${place}`,
    '',
  ]
}

type Operator = { base_url: string; operator_key: string }

async function demoCustomer(operator: Operator): Promise<string> {
  const name = 'First Owner'
  const { api_key } = await createDemoCustomer(operator, {
    email: owner,
    name,
    key: { name: 'first key' },
    contact: { name, email: owner, address: '1 Example Street' },
    funds: { cents: 10_000, payment: 'first-start' },
    password: true,
  })
  return api_key
}
