// Texts of the page of webhooks.
import { pageNames } from './page-names.ts'

export const webhookTexts = {
  title: pageNames.webhooks,
  subtitle: 'Your URLs that receive signed events as they happen.',
  create: 'Add webhook',
  edit: 'Edit',
  editOf: (host: string) => `Edit ${host}`,
  test: 'Send a test',
  testOf: (host: string) => `Send a test to ${host}`,
  testDone: 'A test event is on its way',
  rotate: 'Rotate secret',
  rotateOf: (host: string) => `Rotate secret of ${host}`,
  rotateText:
    'The new secret is shown once. For a day, events are signed with both the new and the old ' +
    'secret, so that none is rejected while you replace it.',
  remove: 'Delete',
  removeOf: (host: string) => `Delete ${host}`,
  removeText: 'It receives no more events, and its deliveries are no longer shown here.',
  removed: (host: string) => `${host} is deleted`,
  switchOf: (host: string) => `Send events to ${host}`,
  turnedOn: (host: string) => `Events are sent to ${host}`,
  turnedOff: (host: string) => `No events are sent to ${host}`,
  states: {
    on: 'Active',
    failing: 'Failing',
    owner: 'Off',
    gone: 'Disabled',
  },
  why: {
    gone: 'It answered 410, so it was disabled. Turn it on when it accepts events again.',
    failing:
      'Nothing was delivered for three days, so it was disabled. Turn it on when it works again.',
    maker_ended:
      'It was added with an API key or an app that has ended, so it ended as well. Turn it on to ' +
      'keep it as your own.',
    since: (ago: string) =>
      `Deliveries are failing; the first failure was ${ago}. Each is retried for more than a day.`,
  },
  madeBy: {
    api_key: 'Added with an API key: it ends with that key.',
    app: 'Added by a connected app: it ends when the app is disconnected.',
  },
  bothSign: (moment: string) => `Events are also signed with the previous secret until ${moment}.`,
  allTypes: 'All events',
  last: {
    none: 'Nothing sent yet',
    delivered: (ago: string) => `Last delivered ${ago}`,
    failed: (ago: string) => `Last attempt failed ${ago}`,
    waiting: 'A delivery is on its way',
  },
  deliveries: {
    title: 'Latest deliveries',
    of: (host: string) => `Latest deliveries to ${host}`,
    none: 'None in the last 30 days. Send a test to see one here.',
    states: { pending: 'Pending', delivered: 'Delivered', failed: 'Failed' },
    attempts: (count: number) => (count === 1 ? '1 attempt' : `${count} attempts`),
    took: (ms: number) => `${ms} ms`,
    next: (moment: string) => `Next attempt ${moment}`,
    redeliver: 'Redeliver',
    redeliverOf: (type: string) => `Redeliver ${type}`,
    redelivered: 'The event is sent again',
    more: 'Show more',
  },
  form: {
    title: 'Add webhook',
    text: 'It receives a POST with JSON for each event. The signing secret is shown once.',
    url: 'URL',
    urlHint: 'HTTPS, on port 443 or above 1023.',
    urlPlaceholder: 'https://hooks.example.com/registrar',
    description: 'Description',
    descriptionHint: 'To recognize it in this list.',
    types: 'Events',
    single: 'Single event types',
    singleHint: 'Separated by spaces, such as order.parked domain.expiring.',
    noType: 'Choose at least one kind of event.',
    submit: 'Add webhook',
    save: 'Save',
    saved: (host: string) => `${host} is saved`,
  },
  secret: {
    title: 'Store the signing secret',
    text: 'It is shown only once. Your receiver uses it to verify that an event comes from us.',
    label: 'Signing secret',
    stored: 'I have stored it',
  },
  empty: {
    title: 'No webhooks yet',
    text: 'Have registrations, payments and transfers sent to your program as they happen.',
  },
} as const

/** Families of event types, in the order of the form. */
export const eventFamilies = [
  { word: 'domain.*', label: 'Domains' },
  { word: 'transfer.*', label: 'Transfers' },
  { word: 'order.*', label: 'Orders' },
  { word: 'payment.*', label: 'Payments' },
  { word: 'balance.*', label: 'Balance' },
  { word: 'invoice.*', label: 'Invoices' },
  { word: 'contact.*', label: 'Contacts' },
  { word: 'api_key.*', label: 'API keys' },
  { word: 'app.*', label: 'Connected apps' },
  { word: 'support.*', label: 'Support' },
  { word: 'account.*', label: 'Account' },
  { word: 'webhook.*', label: 'Webhooks' },
] as const
