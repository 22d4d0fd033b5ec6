-- compatible since: 44
-- Of the indexes of the log, that of creators took the most and was written at random places. Few lists are of a creator;
-- they examine the events of the organization (decision 2).
drop index events_by_owner_creator;
