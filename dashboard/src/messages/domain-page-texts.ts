// Texts of the page of one domain.
export const domainPageTexts = {
  back: 'All domains',
  sections: 'Parts of the domain',
  tabs: {
    overview: 'Overview',
    nameservers: 'Name servers',
    transfer: 'Transfer',
    contacts: 'Contacts',
    history: 'History',
  },
  next: {
    renews: (day: string) => `Renews automatically from your balance before ${day}.`,
    expires: (day: string) => `Paid until ${day}. Renew it before then to keep it.`,
    expired: (day: string) =>
      `Expired on ${day}. Renew it now: 35 days after its expiry it is deleted.`,
    deleting: 'It was not renewed in time, and is being deleted at the registry.',
    redemption: 'Deleted, and no longer in the DNS. It can be restored, usually for 30 days.',
    restoring: 'A restore was requested, and the registry is working on it.',
    pending_delete: 'It can no longer be kept. In a few days anyone can register it.',
    pending: 'Ordered. The registry has not confirmed it yet, and the amount is held.',
    transferIn: 'The current registrar has up to five days to answer. The amount is held.',
    transferOut: (registrar: string, day: string) =>
      `${registrar} has requested a transfer. Unless you reject it, the domain moves on ${day}.`,
    transferred_away: 'It is now managed by another registrar.',
    failed: 'The order was refused. Nothing was charged.',
  },
  operation: {
    types: {
      register: 'Registration',
      renew: 'Renewal',
      transfer: 'Transfer',
      restore: 'Restore',
    },
    pending: (type: string) => `${type} in progress`,
    pendingText: (since: string) =>
      `Ordered on ${since}. The amount is held until the registry confirms it. No action is ` +
      'needed.',
    unknown: (type: string) => `${type}: the registry has not answered`,
    unknownText: (since: string) =>
      `Ordered on ${since}. The service keeps asking until the result is known, and the amount ` +
      'stays held. Do not order it again in the meantime.',
    failed: (type: string) => `${type} failed`,
    failedText: (detail: string) => `${detail} Nothing was charged.`.trim(),
    id: (id: string) => `Operation ${id}`,
  },
  facts: {
    title: 'Registration',
    status: 'Status',
    expires: 'Paid until',
    registryExpiry: 'Expiry at the registry',
    nameservers: 'Name servers',
    flags: 'Registry statuses',
    none: 'None',
  },
  settings: {
    title: 'Settings',
    renew: 'Automatic renewal',
    renewText: 'Renews before it expires, if your balance covers the price.',
    lock: 'Transfer lock',
    lockText: 'While it is locked, it cannot be transferred to another registrar.',
    reserve: 'Renew from the reserve',
    reserveText:
      'Renewals by the service and by you draw first on the money that you keep for them. ' +
      'Renewals by agents never do.',
    protect: 'Protection',
    protectText:
      'Agents need your approval to unlock it, to read or replace its transfer code, to approve ' +
      'its transfer away, and to change its name servers.',
  },
  pay: {
    renew: 'Renew',
    restore: 'Restore',
    renewTitle: (domain: string) => `Renew ${domain}`,
    restoreTitle: (domain: string) => `Restore ${domain}`,
    renewText: (day: string) => `It is paid until ${day}. Years are added to that date.`,
    restoreText: 'A restore brings it back with its name servers, and costs more than a renewal.',
    years: 'Years to add',
    price: 'Price',
    renewFor: (amount: string) => `Renew for ${amount}`,
    restoreFor: (amount: string) => `Restore for ${amount}`,
    renewed: (domain: string, day: string) => `${domain} is renewed until ${day}`,
    restored: (domain: string) => `${domain} is restored`,
    ordered: (domain: string) => `${domain}: ordered`,
    orderedText: 'The registry has not confirmed it yet. The amount is held.',
  },
  nameservers: {
    title: 'Name servers',
    hosts: 'Host names, one per line',
    hint: 'Two to thirteen. They replace all current ones.',
    glue: (host: string) => `IP addresses of ${host}`,
    glueHint: 'It is within this domain, so the registry needs its addresses (glue records).',
    pending: (hosts: string) => `Still being set at the registry: ${hosts}`,
    save: 'Save name servers',
    useService: 'Use this service’s name servers',
    service: (hosts: string) =>
      `This service’s own: ${hosts}. DNS records are served there. On other name servers ` +
      'they are kept, and served again when you return.',
    saved: (domain: string) => `The name servers of ${domain} are changed`,
    restored: (domain: string) => `${domain} has its previous name servers again`,
  },
  records: {
    title: 'DNS records',
    count: (entries: number) => (entries === 1 ? '1 entry' : `${entries} entries`),
    served: 'on this service’s name servers: websites, mail and everything else of the domain.',
    kept: 'kept here, and not served: the domain is on other name servers.',
    open: 'Open DNS records',
  },
  dns: 'DNS records',
  code: {
    title: 'Transfer to another registrar',
    text:
      'The other registrar asks for the transfer code. Anyone with the code can move the domain ' +
      'while it is unlocked.',
    show: 'Show transfer code',
    label: 'Transfer code',
    until: (day: string) => `Valid until ${day}.`,
    locked: 'The domain is locked, and cannot be transferred until it is unlocked.',
    unlock: 'Unlock',
    prohibited: (day: string) => `The registry refuses transfers until ${day}.`,
    replace: 'Replace code',
    replaced: 'The previous code no longer works',
    hide: 'Hide',
  },
  out: {
    title: 'Transfer requested',
    steps: (registrar: string) => [`${registrar} requested it`, 'You answer', 'Transfer complete'],
    stepsLabel: 'Progress of the transfer',
    current: 'current step',
    done: 'done',
    actor: 'Your answer is needed.',
    approve: 'Approve',
    reject: 'Reject',
    approveTitle: (domain: string) => `Transfer ${domain} away?`,
    approveText: 'It leaves this account at once. This cannot be undone.',
    approved: (domain: string) => `${domain} was transferred away`,
    rejected: (domain: string) => `The transfer of ${domain} was rejected`,
    rejectedText: 'The other registrar still has the code: lock the domain, or replace the code.',
  },
  in: {
    title: 'Transfer to this account',
    steps: [
      'Ordered',
      'The registry accepted it',
      'The current registrar answers',
      'Transfer complete',
    ],
    actor:
      'Waiting for the current registrar, for up to five days. You do not need to do anything.',
    cancel: 'Cancel transfer',
    cancelTitle: (domain: string) => `Cancel the transfer of ${domain}?`,
    cancelText: 'The held amount is released. To start again, you need the transfer code.',
    cancelled: (domain: string) => `The transfer of ${domain} is canceled`,
  },
  contacts: {
    title: 'Contacts',
    text:
      'They were chosen at purchase. A change to a contact is sent to the registries of all ' +
      'domains that use it.',
    roles: {
      registrant: 'Registrant',
      admin: 'Admin',
      technical: 'Technical',
      billing: 'Billing',
    },
    none: 'No contacts',
    noneText: 'This domain has no contacts here.',
  },
  history: {
    none: 'Nothing here yet',
    noneText: 'Every change to this domain appears here, with the person or app that made it.',
  },
} as const
