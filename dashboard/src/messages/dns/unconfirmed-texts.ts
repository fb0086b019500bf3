// Texts of changes that go back by themselves unless the owner keeps them.
export const unconfirmedTexts = {
  section: 'Changes that wait for your decision',
  title: (changed: string) => `Not confirmed yet: ${changed}`,
  records: (first: string, more: number) =>
    more > 0 ? `the records ${first} and ${more} more` : `the records ${first}`,
  nameservers: (after: string) => `the name servers ${after}`,
  by: (maker: string) => `Made by: ${maker}.`,
  until: (moment: string) => `It goes back by itself at ${moment} unless it is kept.`,
  left: (left: string) => `${left} left`,
  due: 'It is going back now.',
  before: (before: string) => `The name servers of before: ${before}.`,
  kept: (reason: string) => `It was to go back and did not, because ${reason}. Please decide.`,
  reasons: {
    maker_right_ended: 'the key or app that made it may not change this any more',
    account_suspended: 'the account was suspended',
    domain_protected: 'you protected the domain',
    domain_locked: 'you locked the domain',
    new_password: 'the password was changed',
    changed_since: 'it was changed again',
    refused: 'the way back was refused',
  },
  keep: 'Keep',
  back: 'Take back now',
  done: {
    keep: 'The change is kept',
    back: 'The change is taken back',
  },
} as const
