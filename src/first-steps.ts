// What a start prints: where things are, the first keys, and three lines to paste that buy a
// domain.
import { randomInt } from 'node:crypto'
import type { Service } from './compose.ts'

type Json = Record<string, unknown>

/**
 * The lines of a start. The first start of the sandbox also makes a customer with money and a key
 * to try it with.
 */
export async function firstSteps(service: Service): Promise<string[]> {
  const { settings, operator_key, notes } = service
  const { base_url, mcp_url, environment } = settings
  const { host, port } = service.app.dns.place
  const demo =
    operator_key && environment === 'sandbox' ? await demoCustomer(service, operator_key) : null
  return [
    '',
    `agent-registrar 0.1.0 (${environment})`,
    `  REST     ${base_url}/v1     documents ${base_url}/docs  ${base_url}/openapi.json`,
    `  MCP      ${mcp_url}/mcp`,
    `  Health   ${base_url}/v1/health`,
    `  DNS      ${host}:${port}     dig @${host} -p ${port} <domain> SOA`,
    ...notes.map((note) => `  Note     ${note}`),
    ...keyLines(operator_key, settings.operator_key !== null),
    ...(environment === 'sandbox' ? tryLines(base_url, demo) : []),
    '',
  ]
}

function keyLines(made: string | null, fromEnvironment: boolean): string[] {
  if (made) return ['', '  Operator key (shown this once, kept only as a hash):', `    ${made}`]
  const where = fromEnvironment ? 'from OPERATOR_KEY' : 'the one that the first start printed'
  return [`  Operator ${where}`]
}

function tryLines(base: string, key: string | null): string[] {
  const name = `my-agent-${randomInt(100_000, 1_000_000)}.com`
  const shown = key ?? '<the API key that the first start printed>'
  return [
    '',
    '  Buy a domain: paste these three lines (a customer with 100.00 USD is there to try it).',
    '',
    `    KEY=${shown}`,
    `    curl -s ${base}/v1/domains/check/${name}`,
    `    curl -s ${base}/v1/domains -H "Authorization: Bearer $KEY" ` +
      `-H 'Content-Type: application/json' ` +
      `-d '{"domain":"${name}","max_price":"20.00"}'`,
  ]
}

/** Made through the service's own door, as an operator would. Answers the customer's key. */
async function demoCustomer({ settings }: Service, operatorKey: string): Promise<string> {
  const post = async (path: string, body: Json): Promise<Json> => {
    const response = await fetch(`${settings.base_url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${text}`)
    return Object(JSON.parse(text))
  }
  const customer = await post('/v1/customers', { email: 'owner@example.net', name: 'First Owner' })
  const path = `/v1/customers/${customer.id}`
  await post(`${path}/contacts`, {
    name: 'First Owner',
    email: 'owner@example.net',
    address: '1 Example Street',
    city: 'London',
    state: 'England',
    country: 'GB',
    zip: 'SW1A 1AA',
    phone_country_code: '44',
    phone_number: '2079460123',
    default_registrant: true,
    default_admin: true,
    default_technical: true,
    default_billing: true,
  })
  await post('/v1/internal/billing/processor/top-ups', {
    customer_id: customer.id,
    amount_cents: 10_000,
    currency: 'USD',
    processor_checkout_session_id: 'first-start',
  })
  const { api_key } = await post(`${path}/api-keys`, { name: 'first key' })
  return String(api_key)
}
