// The account of the session, for the components of the shell.
import { createContext, useContext } from 'react'
import type { CustomerResponse } from 'sdk'

export const AccountContext = createContext<CustomerResponse | null>(null)

export function useAccount(): CustomerResponse {
  const account = useContext(AccountContext)
  if (account === null) throw new Error('A component of the shell is used outside of it.')
  return account
}
