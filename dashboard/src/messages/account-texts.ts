// Texts of the pages of the account: profile and security.
import { pageNames } from './page-names.ts'

export const accountTexts = {
  title: pageNames.account,
  subtitle: 'Your profile, and the defaults of new domains.',
  sections: 'Sections of the account',
  profileTab: 'Profile',
  securityTab: 'Security',
  yourDataTab: 'Your data',
  saved: 'Saved',
  save: 'Save',
  profile: {
    title: 'Profile',
    name: 'Name',
    company: 'Company',
    companyHint: 'Leave it empty if there is none.',
  },
  email: {
    title: 'Email address',
    verified: 'Verified',
    unverified: 'Not verified',
    text: 'You log in with it, and we send our emails to it.',
    change: 'Change',
    next: 'New email address',
    password: 'Current password',
    passwordHint: 'Not needed within ten minutes of logging in.',
    submit: 'Send the link',
    sent: (email: string) => `We sent a link to ${email}. The address changes when you open it.`,
  },
  nameservers: {
    title: 'Default name servers',
    text: 'For new domains bought without name servers: 2 to 13 host names, one per line.',
    label: 'Host names',
    placeholder: 'ns1.example.net\nns2.example.net',
    none: 'None are set, so new domains use those of this service.',
    hint: (hosts: string) => `Leave it empty to use those of this service: ${hosts}.`,
  },
  verifyEmail: {
    title: 'Verify your new email address',
    text: (email: string | null) =>
      `From then on you log in with ${email ?? 'it'}, and we send our emails to it.`,
    submit: 'Use this address',
    done: (email: string) => `Your email address is now ${email}.`,
    missing: 'The link is incomplete',
    missingText: 'Open it again from the email, or request the change again.',
    toAccount: 'Go to your account',
  },
} as const

export const securityTexts = {
  title: 'Security',
  subtitle: 'How you log in, and where you are logged in.',
  password: {
    title: 'Password',
    current: 'Current password',
    next: 'New password',
    submit: 'Change the password',
    ends: 'Other sessions end, and connected apps lose access. API keys stay.',
    done: 'The password was changed',
    ended: (count: number) => {
      if (count === 0) return 'No other session was open'
      return count === 1 ? '1 other session ended' : `${count} other sessions ended`
    },
  },
  passkeys: {
    title: 'Passkeys',
    text: 'Log in with your fingerprint, face or device PIN instead of the password.',
    name: 'Name',
    placeholder: 'My laptop',
    add: 'Add a passkey',
    added: (name: string) => `${name} was added`,
    none: 'No passkeys yet.',
    backedUp: 'Synchronized',
    created: (day: string) => `Added ${day}`,
    used: (ago: string) => `Last used ${ago}`,
    neverUsed: 'Never used',
    remove: 'Remove',
    removeOf: (name: string) => `Remove ${name}`,
    removeText: 'It can no longer be used to log in. Sessions started with it stay open.',
    removed: (name: string) => `${name} was removed`,
  },
  identities: {
    title: 'Single sign-on',
    text: 'Log in with an account at another service.',
    none: 'No account is linked.',
    link: (provider: string) => `Link ${provider}`,
    confirmed: 'Your log-in is confirmed. Now link the provider.',
    linked: (day: string) => `Linked ${day}`,
    used: (ago: string) => `Last used ${ago}`,
    neverUsed: 'Never used',
    remove: 'Remove',
    removeOf: (provider: string) => `Remove ${provider}`,
    removeLabel: (provider: string, email: string | null) =>
      email === null ? `Remove ${provider}` : `Remove ${provider}, ${email}`,
    removeText:
      'It can no longer be used to log in to your account. Sessions started with it stay open.',
    removed: (provider: string) => `${provider} was removed`,
  },
  sessions: {
    title: 'Sessions',
    current: 'This browser',
    used: (ago: string) => `Active ${ago}`,
    loggedIn: (moment: string) => `Logged in ${moment}`,
    end: 'End',
    endOf: (name: string) => `End the session of ${name}`,
    endOthers: 'End all others',
    ended: 'The session was ended',
    endedOthers: (count: number) =>
      count === 1 ? '1 session was ended' : `${count} sessions were ended`,
    unknown: 'Unknown program',
    on: (browser: string, system: string) => `${browser} on ${system}`,
  },
  confirmOwner: {
    title: 'Confirm that it is you',
    text: 'Your log-in is older than ten minutes.',
    password: 'Password',
    submit: 'Confirm',
  },
} as const
