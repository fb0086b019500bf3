// Texts of a transfer to this account.
export const transferInTexts = {
  title: 'Transfer a domain in',
  subtitle: 'From another registrar to this account. A year is added, and paid from your balance.',
  before: 'Before you start',
  steps: [
    'Unlock the domain at its present registrar.',
    'Get its transfer code there. It is also called authorization code or EPP code.',
    'A domain cannot be transferred in the first 60 days after its registration.',
  ],
  form: 'Domain and code',
  domain: 'Domain',
  code: 'Transfer code',
  codeHint: 'It is sent to the registry, and kept nowhere in clear.',
  check: 'Check price',
  price: 'Price, with one year',
  keeps: 'It keeps its name servers, so that its website and mail stay up.',
  buy: (amount: string) => `Transfer for ${amount}`,
  ordered: (domain: string) => `The transfer of ${domain} is ordered`,
  orderedText: 'The amount is held until the domain is here.',
} as const
