"""Groups of the users of an organization.

RPCs: CreateGroup, GetGroup, ListGroups, PatchGroup, RemoveGroup, AddGroupMember, RemoveGroupMember,
ListGroupMembers, ListGroupsOfUser.

The rule: a membership is part of the user's aggregate, and ends with its user or its group
(decision 25). A group grants nothing in Keystead itself. A group's row is locked before any user's.
"""
