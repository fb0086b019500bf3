// Texts of a transfer to this account.
export const transferInTexts = {
  title: 'Transfer a domain in',
  subtitle: 'From another registrar to this account. A year is added, and paid from your balance.',
  before: 'Before you start',
  steps: [
    'Unlock the domain at its current registrar.',
    'Get its transfer code there (also called authorization code or EPP code).',
    'A domain cannot be transferred in the first 60 days after its registration.',
  ],
  form: 'Domain and code',
  domain: 'Domain',
  code: 'Transfer code',
  codeHint: 'It is sent to the registry, and never stored in plain text.',
  check: 'Check price',
  price: 'Price, including one year',
  keeps: 'It keeps its name servers, so that its website and mail stay up.',
  buy: (amount: string) => `Transfer for ${amount}`,
  ordered: (domain: string) => `The transfer of ${domain} is ordered`,
  orderedText: 'The amount is held until the transfer is complete.',
} as const
