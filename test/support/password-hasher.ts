// A password hasher with a tenth of the usual costs: tests of log-ins and consent make hundreds of
// hashes, and only those of the hashing itself depend on what one costs.
import { PasswordHasher } from '../../src/capabilities/sign-in/index.ts'

export function newPasswordHasher(): PasswordHasher {
  return new PasswordHasher({ memory_kib: 4_096, passes: 1, parallelism: 1 })
}
