// Texts of requests that cost nothing: the fact that changes, and a warning of its effects.

type Change = {
  /** The name of the fact. */
  of: string
  /** The present value, or null if it is read from the domain. */
  from: string | null
  to: string | null
  warning: string
}

export const changeTexts = {
  label: 'The change',
  to: 'becomes',
  unknown: 'Being read',
  on: 'On',
  off: 'Off',
  free: 'It costs nothing, and takes effect at once.',
  nameservers: {
    of: 'Name servers',
    from: null,
    to: null,
    warning:
      'The operator of the new name servers decides where the website and the email of this ' +
      'domain go. Approve this only if you know them.',
  },
  renewalOn: {
    of: 'Automatic renewal',
    from: null,
    to: 'On',
    warning: 'Each renewal is then paid from your balance, until you turn it off.',
  },
  renewalOff: {
    of: 'Automatic renewal',
    from: null,
    to: 'Off',
    warning: 'The domain is lost after its expiry unless somebody renews it before then.',
  },
  records: {
    of: 'DNS records',
    from: null,
    to: null,
    warning:
      'DNS records decide where the website and the email of this domain go, and who may issue ' +
      'certificates for it. Approve this only if you know why the agent needs it.',
  },
  noRecord: 'Nothing',
  recordsLeft: (left: number) =>
    left === 1 ? 'and 1 more that is not shown' : `and ${left} more that are not shown`,
  unlock: {
    of: 'Transfer lock',
    from: null,
    to: 'Off',
    warning:
      'Without the lock, anybody with the transfer code can move this domain to another registrar.',
  },
  away: {
    of: 'Registrar',
    from: 'Here, in your account',
    to: 'Another registrar',
    warning: 'You give this domain away. It does not come back by itself.',
  },
  code: {
    of: 'Transfer code',
    from: 'Known to you alone',
    to: 'Read by the agent',
    warning:
      'Anybody with the code can move this domain to another registrar and out of your account.',
  },
  newCode: {
    of: 'Transfer code',
    from: 'The current one',
    to: 'A new one, read by the agent',
    warning:
      'Anybody with the code can move this domain to another registrar and out of your account.',
  },
  other: {
    of: 'This domain',
    from: null,
    to: null,
    warning: 'Approve this only if you know why the agent needs it.',
  },
} as const satisfies Record<string, Change | string | ((count: number) => string)>

export type ChangeWords = Change

export const obstacleTexts = {
  spend: (holder: string, left: string) => `${holder} has ${left} left`,
  spendText: (until: string | null) =>
    until === null
      ? 'Raise its limit to approve this.'
      : `Raise its limit to approve this, or wait until ${until}, when it resets.`,
  price: (holder: string, most: string) => `${holder} may pay at most ${most} for one purchase`,
  currency: (holder: string, currency: string) => `${holder} may only pay in ${currency}`,
  change: 'Change its limits to approve this.',
  limits: 'Change the limits',
  balance: (available: string) => `Your balance has ${available} available`,
  balanceText: (missing: string) => `Add ${missing} or more to approve this.`,
  addMoney: 'Add money',
  names: {
    api_key: (name: string) => `The key “${name}”`,
    app: (name: string) => `The app “${name}”`,
  },
} as const

/** The next step after an approval that could not be carried out, by error code. */
export const endingHints: Readonly<Record<string, string>> = {
  spend_limit_exceeded: 'Raise the limit, then let the agent ask again. Nothing was paid.',
  domain_not_allowed: 'Change the limits, then let the agent ask again. Nothing was paid.',
  currency_not_allowed: 'Change the limits, then let the agent ask again. Nothing was paid.',
  dns_record_not_allowed: 'Change the limits, then let the agent ask again.',
  insufficient_funds: 'Add money, then let the agent ask again. Nothing was paid.',
  price_changed: 'Nothing was paid. Let the agent ask again: you then see the new price.',
  request_changed:
    'The order would now differ from the one that you saw. Let the agent ask again if it is ' +
    'still wanted.',
  key_revoked: 'The key or app that asked has ended, so nothing was done.',
  duplicate_request: 'The agent had already made the same request. Check the domain.',
  invalid: 'Something that the request names is gone. Let the agent ask again.',
  domain_taken: 'Somebody else has it now. Nothing was paid.',
  registrant_required: 'Add a default contact, then let the agent ask again.',
}

export const endingTexts = {
  other: 'Nothing was paid. Let the agent ask again if it is still wanted.',
  limits: 'Change the limits',
  addMoney: 'Add money',
  contacts: 'Open the contacts',
} as const
