// A row for each mutation of the dashboard: the page where it is made, what is filled in there, and
// the control that sends it. They refuse nothing by themselves: only the connection is missing.
import type { Page } from 'playwright-core'

export type Row = {
  /** Whether it belongs to an operator instead of the owner. */
  isOfOperator?: true
  isDryRun?: true
  path: string
  heading: string
  prepare?: (page: Page) => Promise<unknown>
  send: (page: Page) => Promise<unknown>
}

export const held = 'held-here.com'
export const coming = 'coming-in.com'
export const agent = 'Offline agent'
export const hooks = 'hooks.registrar.example'

const fillNameservers = (page: Page) =>
  page.getByLabel('Host names, one per line').fill('ns1.example.net\nns2.example.net')
const press = (name: string | RegExp) => (page: Page) =>
  page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .last()
    .click()
const inDialog = (name: string) => (page: Page) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).last().click()

/** Opens the dialog that asks for the name of an object. */
const typing = (open: string, name: string) => async (page: Page) => {
  await press(open)(page)
  await page.getByLabel(`Type ${name} to confirm`).fill(name)
}

const keys = { path: '/api-keys', heading: 'API keys' }
const hook = { path: '/webhooks', heading: 'Webhooks' }
const topUp = { path: '/billing/top-up', heading: 'Add money' }
const byMethod = (name: RegExp) => (page: Page) =>
  page.getByRole('radio', { name }).check({ force: true })

async function fillContact(page: Page): Promise<void> {
  await page.getByLabel('Country', { exact: true }).selectOption({ label: 'Netherlands' })
  for (const [label, value] of [
    ['Name', 'Grace Hopper'],
    ['Email address', 'grace@example.net'],
    ['Street and number', 'Keizersgracht 1'],
    ['Postal code', '1015 CN'],
    ['City', 'Amsterdam'],
    ['State or province', 'Noord-Holland'],
    ['Telephone number', '201234567'],
  ] as const)
    await page.getByLabel(label, { exact: true }).fill(value)
}

export const mutationRows: Readonly<Record<string, Row>> = {
  'components/limits/change-limits-dialog.tsx change': {
    ...keys,
    prepare: async (page) => {
      await press(`Change limits of ${agent}`)(page)
      await page.getByRole('dialog').locator('input[inputmode=decimal]').first().fill('7')
    },
    send: press('Save limits'),
  },
  'components/operator/decision-dialog.tsx decision': {
    isOfOperator: true,
    path: '/operator/mails',
    heading: 'Failed emails',
    prepare: press('Send again'),
    send: inDialog('Send again'),
  },
  'components/popups/removal-dialog.tsx removal': {
    ...hook,
    prepare: typing(`Delete ${hooks}`, hooks),
    send: inDialog('Delete'),
  },
  'lib/api-key-queries.ts create': {
    ...keys,
    prepare: async (page) => {
      await press('Create API key')(page)
      await page.getByRole('textbox', { name: 'Name' }).fill('never made')
    },
    send: inDialog('Create'),
  },
  'lib/api-key-queries.ts revoke': {
    ...keys,
    prepare: typing(`Revoke ${agent}`, agent),
    send: inDialog('Revoke'),
  },
  'lib/api-key-queries.ts rotate': {
    ...keys,
    prepare: typing(`Rotate ${agent}`, agent),
    send: inDialog('Rotate'),
  },
  'lib/contact-queries.ts useCreateContact': {
    path: '/buy?q=never-bought',
    heading: 'Buy a domain',
    prepare: async (page) => {
      // The owner has a contact, but the service answers as if there were none.
      await page.route('**/v1/domains', (route) =>
        route.request().method() === 'POST' ? route.fulfill(noRegistrant) : route.continue(),
      )
      await press('Buy never-bought.com')(page)
      await page.getByRole('heading', { name: 'A registrant is missing' }).waitFor()
      await fillContact(page)
    },
    send: press('Save and continue'),
  },
  'lib/dns/record-queries.ts useRecordChange': {
    path: `/domains/${held}/dns`,
    heading: `DNS of ${held}`,
    prepare: async (page) => {
      await press('Add record')(page)
      await page.getByLabel('IPv4 address').fill('192.0.2.7')
    },
    send: (page) => page.locator('form').getByRole('button', { name: 'Add record' }).click(),
  },
  'lib/domains/domain-queries.ts mutate': {
    path: `/domains/${held}`,
    heading: held,
    // Toasts, which show the failure, are loaded half a second after the page.
    prepare: (page) => page.waitForLoadState('networkidle'),
    send: (page) => page.getByRole('switch', { name: 'Transfer lock' }).click(),
  },
  'lib/money/balance-queries.ts useSimulatedTopUp': {
    path: '/balance',
    heading: 'Balance',
    send: press(/^Add .*\.00$/),
  },
  'lib/money/paid-request.ts payment': {
    path: '/buy?q=never-bought',
    heading: 'Buy a domain',
    prepare: async (page) => {
      await press('Buy never-bought.com')(page)
      await page.getByRole('button', { name: /^Buy for / }).waitFor()
    },
    send: press(/^Buy for /),
  },
  'lib/money/top-up-queries.ts useCreateCardTopUp': {
    ...topUp,
    prepare: byMethod(/^Card/),
    send: press(/^Pay .* by card$/),
  },
  'lib/money/top-up-queries.ts useCreateTopUp': {
    ...topUp,
    prepare: byMethod(/^USDC on Base/),
    send: press(/^Pay .* in USDC$/),
  },
  'lib/money/top-up-queries.ts useReport': {
    ...topUp,
    prepare: async (page) => {
      await byMethod(/^USDC on Base/)(page)
      await press(/^Pay .* in USDC$/)(page)
      await page.getByLabel('Transaction id').fill('0xabc')
    },
    send: press('Check now'),
  },
  'pages/account/session-list.tsx end': {
    path: '/account/security',
    heading: 'Security',
    send: (page) =>
      page
        .getByRole('button', { name: /^End the session/ })
        .first()
        .click(),
  },
  'pages/connect/mcp-key.tsx rotate': {
    path: '/connect',
    heading: 'Connect an agent',
    send: press('Create the key'),
  },
  'pages/contacts/edit-dialog.tsx save': {
    path: '/contacts',
    heading: 'Contacts',
    prepare: async (page) => {
      await press('Add contact')(page)
      await fillContact(page)
    },
    send: press('Save contact'),
  },
  'pages/domain/dns/scan-records.tsx scan': {
    path: `/domains/${held}/dns?find`,
    heading: `DNS of ${held}`,
    prepare: (page) => page.getByRole('button', { name: 'Find the records' }).waitFor(),
    send: inDialog('Find the records'),
  },
  'pages/domain/dns/unconfirmed-changes.tsx decide': {
    path: `/domains/${held}`,
    heading: held,
    prepare: (page) => page.getByRole('button', { name: 'Keep', exact: true }).waitFor(),
    send: press('Keep'),
  },
  'pages/domain/use-nameserver-change.ts check': {
    isDryRun: true,
    path: `/domains/${held}?tab=nameservers`,
    heading: held,
    prepare: fillNameservers,
    send: press('Save name servers'),
  },
  'pages/domain/use-nameserver-change.ts change': {
    path: `/domains/${held}?tab=nameservers`,
    heading: held,
    prepare: async (page) => {
      await fillNameservers(page)
      await press('Save name servers')(page)
      await page.getByRole('dialog').waitFor()
    },
    send: inDialog('Change anyway'),
  },
  'pages/domain/waiting-nameservers.tsx cancel': {
    path: `/domains/${held}?tab=nameservers`,
    heading: held,
    prepare: async (page) => {
      await fillNameservers(page)
      await press('Save name servers')(page)
      await inDialog('Change once they answer')(page)
      await page.getByText('A change waits').waitFor()
    },
    send: press('Cancel the change'),
  },
  'pages/domain/transfer-callout.tsx useAnswer': {
    path: `/domains/${coming}`,
    heading: coming,
    prepare: typing('Cancel transfer', coming),
    send: inDialog('Cancel transfer'),
  },
  'pages/domain/transfer-tab.tsx code': {
    path: `/domains/${held}?tab=transfer`,
    heading: held,
    send: press('Show transfer code'),
  },
  'pages/operator/operator-keys.tsx useKeyChange': {
    isOfOperator: true,
    path: '/operator/keys',
    heading: 'Operator keys',
    prepare: async (page) => {
      await press('Create key')(page)
      await page.getByRole('textbox', { name: 'Name' }).fill('never made')
    },
    send: inDialog('Create key'),
  },
  'pages/operator/support-conversation.tsx mark': {
    isOfOperator: true,
    path: '/operator/support',
    heading: 'Support',
    prepare: async (page) => {
      await page.getByRole('tabpanel').getByRole('listitem').first().getByRole('link').click()
      await page.getByRole('button', { name: 'Mark as read' }).waitFor()
    },
    send: press('Mark as read'),
  },
  'pages/webhooks/webhook-queries.ts create': {
    ...hook,
    prepare: async (page) => {
      await press('Add webhook')(page)
      await page.getByRole('textbox', { name: 'URL' }).fill('https://never.registrar.example/in')
    },
    send: inDialog('Add webhook'),
  },
  'pages/webhooks/webhook-queries.ts redeliver': {
    ...hook,
    prepare: (page) => page.getByText('Latest deliveries', { exact: true }).click(),
    send: press('Redeliver domain.registered'),
  },
  'pages/webhooks/webhook-queries.ts rotate': {
    ...hook,
    prepare: press(`Rotate secret of ${hooks}`),
    send: inDialog('Rotate secret'),
  },
  'pages/webhooks/webhook-queries.ts test': { ...hook, send: press(`Send a test to ${hooks}`) },
  'pages/webhooks/webhook-queries.ts update': {
    ...hook,
    send: (page) => page.getByRole('switch', { name: `Send events to ${hooks}` }).click(),
  },
}

const noRegistrant = {
  status: 409,
  contentType: 'application/problem+json',
  body: JSON.stringify({
    ...{ status: 409, code: 'registrant_required', title: 'Conflict', retryable: false },
    ...{ detail: 'A registrant is missing.', request_id: 'of-the-test' },
    next_action: { type: 'fix_request', hint: 'Add one.' },
  }),
}
