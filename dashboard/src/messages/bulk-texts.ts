// Texts of changes to several domains at once.
const domains = (count: number) => (count === 1 ? '1 domain' : `${count.toLocaleString()} domains`)

export const bulkTexts = {
  selected: (count: number) => `${count.toLocaleString()} selected`,
  select: (domain: string) => `Select ${domain}`,
  bar: 'Selected domains',
  clear: 'Clear selection',
  export: 'Export CSV',
  more: 'More actions',
  years: 'Years to add',
  yearsOf: (years: number) => (years === 1 ? '1 year' : `${years} years`),
  nameservers: 'Name servers, one per line',
  nameserversHint: 'They replace the current name servers of each selected domain.',
  nameserversProblem: 'Enter 2 to 13 host names, one per line.',
  checkPrices: 'Check prices',
  total: 'Total',
  renewTotal: (count: number, amount: string) => `Renew ${domains(count)} for ${amount}`,
  unpriced: (count: number) =>
    `${domains(count)} cannot be renewed now. The reason is beside each name.`,
  cancel: 'Cancel',
  stop: 'Stop',
  retry: (count: number) => `Retry ${domains(count)}`,
  done: 'Done',
  result: 'Result',
  domain: 'Domain',
  progress: (done: number, all: number) => `${done.toLocaleString()} of ${domains(all)} processed`,
  finished: (done: number, failed: number) =>
    failed === 0
      ? `${domains(done)} changed`
      : `${domains(done)} changed, ${failed.toLocaleString()} failed`,
  priced: (done: number, all: number) => `${done.toLocaleString()} of ${domains(all)} priced`,
  states: { waiting: 'Waiting', running: 'In progress', failed: 'Failed' },
  results: {
    renewed: (day: string) => `Renewed until ${day}`,
    ordered: 'Ordered: the registry has not confirmed it yet',
    changed: 'Changed',
    wasLocked: 'Already locked',
    wasUnlocked: 'Already unlocked',
    price: (amount: string) => amount,
  },
  actions: {
    renew: {
      label: 'Renew',
      title: (count: number) => `Renew ${domains(count)}`,
      text: 'The price of each is checked first. Nothing is bought before you confirm the total.',
      confirm: 'Renew',
    },
    renew_on: {
      label: 'Turn on auto-renew',
      title: (count: number) => `Turn on automatic renewal for ${domains(count)}`,
      text: 'Each is renewed from your balance before it expires.',
      confirm: 'Turn on',
    },
    renew_off: {
      label: 'Turn off auto-renew',
      title: (count: number) => `Turn off automatic renewal for ${domains(count)}`,
      text: 'Each expires at the end of its term unless it is renewed by hand.',
      confirm: 'Turn off',
    },
    lock: {
      label: 'Lock',
      title: (count: number) => `Lock ${domains(count)}`,
      text: 'A locked domain cannot be transferred to another registrar.',
      confirm: 'Lock',
    },
    unlock: {
      label: 'Unlock',
      title: (count: number) => `Unlock ${domains(count)}`,
      text: 'An unlocked domain can be transferred away by anyone who has its transfer code.',
      confirm: 'Unlock',
    },
    nameservers: {
      label: 'Name servers',
      title: (count: number) => `Replace the name servers of ${domains(count)}`,
      text: 'Websites and mail of these domains depend on their name servers.',
      confirm: 'Replace',
    },
  },
} as const
