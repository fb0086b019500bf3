// Link tokens are in the fragment, which no server, log or Referer gets. Once read, it is removed
// from the address, so that it is in no history either.
export function tokenOfFragment(): string | null {
  const token = new URLSearchParams(location.hash.slice(1)).get('token')
  if (token !== null) history.replaceState(history.state, '', location.pathname + location.search)
  return token
}
