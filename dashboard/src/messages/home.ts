// Texts of the home page.
export const homeTexts = {
  title: 'Home',
  greeting: (name: string) => `Welcome back, ${name}`,
  available: 'Available balance',
  held: (amount: string) => `${amount} held for open orders`,
  noneHeld: 'Nothing is held for open orders',
  domains: 'Domains',
  soon: 'Expire within 30 days',
  manual: 'without automatic renewal',
  next: {
    title: 'Next expiries',
    all: 'All domains',
    none: 'No domain expires yet',
    noneText: 'Domains appear here once you or an agent has registered one.',
  },
  latest: {
    title: 'Latest transactions',
    none: 'No transactions yet',
    noneText: 'Top-ups, purchases and refunds appear here.',
    types: {
      top_up: 'Top-up',
      hold: 'Hold',
      capture: 'Capture of the hold',
      release: 'Release of the hold',
      refund: 'Refund',
      reversal: 'Reversal',
      adjustment: 'Adjustment',
    },
  },
} as const
