-- compatible from: 0001

-- How the consent ended (src/oauth/ended); null while it lasts, and where a version that did not
-- know the column ended it.
alter table oauth_grants add column end_reason text check (length(end_reason) between 1 and 40);
