// Secrets in links are in the fragment, which reaches no server, log or Referer. Once it is read,
// it is removed from the address, so that it is in no history either.
import { useEffect, useState } from 'react'

/**
 * The fragment of the address at the first render. Rendering may be repeated, so only the effect
 * removes it.
 */
export function useFragment(): URLSearchParams {
  const [fragment] = useState(() => new URLSearchParams(location.hash.slice(1)))
  useEffect(() => {
    if (fragment.size > 0)
      history.replaceState(history.state, '', location.pathname + location.search)
  }, [fragment])
  return fragment
}
