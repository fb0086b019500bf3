// Link tokens are in the fragment, which no server, log or Referer gets. Once read, it is removed
// from the address, so that it is in no history either.
import { useEffect, useState } from 'react'

/** Of the address at the first render. Rendering may be repeated, so only the effect removes it. */
export function useTokenOfFragment(): string | null {
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get('token'))
  useEffect(() => {
    if (token !== null) history.replaceState(history.state, '', location.pathname + location.search)
  }, [token])
  return token
}
