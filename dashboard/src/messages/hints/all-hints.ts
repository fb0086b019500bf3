// Words for people by error code, in place of those that the API gives to programs. Every code has
// a next step (test/contract/words-for-people.test.ts). They are loaded after the page.
import { commonHints } from './common-hints.ts'
import { operatorHints } from './operator-hints.ts'
import { ownerHints } from './owner-hints.ts'
import { signInHints } from './sign-in-hints.ts'

export const hints: ReadonlyMap<string, string> = new Map(
  [commonHints, signInHints, ownerHints, operatorHints].flatMap((some) => Object.entries(some)),
)

/** Sentences that replace those of the API which name a field of the request. */
export const sentences: ReadonlyMap<string, string> = new Map([
  ['premium_not_allowed', 'This is a premium name with a price of its own.'],
  [
    'buyer_ended',
    'The key or app that turned on automatic renewal has ended, or may no longer buy.',
  ],
])
